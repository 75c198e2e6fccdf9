// PathNumbering: a number for every acyclic path of a method, by Ball and Larus (1996), as paper 003 uses it.
//
// Every edge has a value; the sum of the values along a path, and that of its start, is the path's number. Numbers are
// 0 … paths() - 1, each of exactly one path. A block where paths are cut (a loop header, or one of those that were
// added because there were too many paths) ends the path that arrives and begins another: its incoming edges lead to
// the end, and it is a start. So what is left is acyclic: the P-DAG.
//
// Smart numbering gives the outgoing edge that is taken most often the value 0, so that it needs no instruction; the
// order is the caller's, and without weights the first outcome is taken to be the hottest: that of falling through.
// Immutable.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "classfile/path_graph.h"

namespace bursar::classfile {

enum class EdgeOrder : std::uint8_t {
  kHottestFirst,  // the hottest edge of each block gets 0
  kColdestFirst,  // the opposite: the paper's control
};

// By block, then by outcome: how often each edge was taken. Blocks beyond the end, and those without an entry for every
// outcome, are not known.
using EdgeWeights = std::vector<std::vector<std::uint64_t>>;

struct NumberingOptions {
  std::span<const std::vector<std::uint64_t>> weights{};
  EdgeOrder order = EdgeOrder::kHottestFirst;
  // Where more paths than this begin, paths are cut.
  std::uint32_t max_paths_from_block = 1024;
  // Beyond this many in all, the method is refused.
  std::uint32_t max_paths = 1 << 17;
};

enum class PathStart : std::uint8_t { kEntry, kHandler, kCut };

// A path, or the part of one that has run.
struct BlockPath {
  std::vector<std::uint32_t> blocks;    // on arrival at a cut the path ends: that block is the last
  std::vector<std::uint32_t> outcomes;  // of every block but the last

  bool operator==(const BlockPath&) const = default;
};

class PathNumbering {
 public:
  static std::variant<PathNumbering, PathRefusal> of(const PathGraph& graph, const NumberingOptions& options = {});

  std::uint32_t paths() const { return paths_; }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(blocks_.size()); }
  std::uint32_t pc(std::uint32_t block) const { return blocks_[block].pc; }
  std::uint32_t branch_pc(std::uint32_t block) const { return blocks_[block].last_pc; }
  std::uint32_t outcomes(std::uint32_t block) const { return edge_end(block) - blocks_[block].first_edge; }
  bool decides(std::uint32_t block) const { return outcomes(block) > 1; }
  // Paths end on arrival here, and begin.
  bool is_cut(std::uint32_t block) const { return blocks_[block].cut; }
  // Of an edge: what its path's number grows by.
  std::uint32_t value(std::uint32_t block, std::uint32_t outcome) const {
    return edges_[blocks_[block].first_edge + outcome].value;
  }
  // Of the edges that have a value and were taken so often, those that would have none if numbered by these weights.
  std::uint64_t spared_by(const EdgeWeights& weights) const;
  // What the number of a path begins with; 0 where none begins.
  std::uint32_t start_value(PathStart start, std::uint32_t block) const;

  // The path of a number, by the greedy algorithm; nothing if there is no such number.
  std::optional<BlockPath> path(std::uint32_t number) const;
  // What has run when the sum so far is `number` and control is in `block`; nothing if that cannot be.
  std::optional<BlockPath> partial_path(std::uint32_t number, std::uint32_t block) const;
  // Decisions along the path.
  std::uint32_t decisions(const BlockPath& path) const;

 private:
  struct NumberedBlock {
    std::uint32_t pc = 0;
    std::uint32_t last_pc = 0;
    std::uint32_t first_edge = 0;
    bool cut = false;
  };
  struct NumberedEdge {
    std::uint32_t target;
    std::uint32_t value;
  };
  struct Start {
    std::uint32_t first;  // of its numbers
    std::uint32_t block;
    PathStart kind;
  };

  std::uint32_t edge_end(std::uint32_t block) const {
    return block + 1 < blocks_.size() ? blocks_[block + 1].first_edge : static_cast<std::uint32_t>(edges_.size());
  }
  std::optional<BlockPath> walk(std::uint32_t number, std::uint32_t until) const;

  std::vector<NumberedBlock> blocks_;
  std::vector<NumberedEdge> edges_;
  std::vector<Start> starts_;  // sorted by their first number
  std::uint32_t paths_ = 0;
};

}  // namespace bursar::classfile
