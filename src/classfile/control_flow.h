// ControlFlow: the basic blocks of a method and what may follow what.
//
// Blocks are numbered in bytecode order; block 0 begins at index 0. Positions are indices of instructions.
// Exception edges run from every block that an exception entry covers to its handler; blocks are cut at the bounds of
// the entries, so an entry covers a block wholly or not at all. A `ret` may return behind any `jsr` of the method.
// A loop header is the target of a retreating ordinary edge of a depth-first walk: every cycle without an exception
// edge passes one, in irreducible code too. loop_forest.h says how loops nest. Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "classfile/code_attribute.h"

namespace bursar::classfile {

struct Block {
  std::uint32_t first = 0;                // first instruction
  std::uint32_t last = 0;                 // last instruction, inclusive
  std::vector<std::uint32_t> successors;  // by ordinary control flow, each once
  std::vector<std::uint32_t> handlers;    // blocks that exceptions of this one go to, each once
  std::uint32_t predecessors = 0;         // number of ordinary edges that lead here
  bool is_handler = false;
  bool is_loop_header = false;
  bool reachable = false;
};

struct RetreatingEdge {
  std::uint32_t latch;
  std::uint32_t header;
};

class ControlFlow {
 public:
  // Edges are bounded: nothing for a method whose exception table or subroutines would need more.
  static constexpr std::size_t kMaxEdges = std::size_t{1} << 20;
  static std::optional<ControlFlow> of(const CodeAttribute& code);

  const std::vector<Block>& blocks() const { return blocks_; }
  std::uint32_t block_of(std::uint32_t instruction) const { return block_of_[instruction]; }
  const std::vector<RetreatingEdge>& retreating_edges() const { return retreating_; }
  // The reachable blocks in the order in which the depth-first walk left them.
  const std::vector<std::uint32_t>& post_order() const { return post_order_; }

 private:
  void cut(const CodeAttribute& code);
  bool connect(const CodeAttribute& code);
  bool connect_handlers(const CodeAttribute& code);
  void walk();

  std::vector<Block> blocks_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> post_order_;
  std::vector<RetreatingEdge> retreating_;
};

}  // namespace bursar::classfile
