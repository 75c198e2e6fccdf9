#include "classfile/path_numbering.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace bursar::classfile {
namespace {

constexpr std::uint32_t kNoBlockYet = 0xffffffff;

// The reachable blocks, every one behind its successors; edges to loop headers do not count. Headers cut every cycle.
std::vector<std::uint32_t> reverse_topological(const PathGraph& graph) {
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(graph.blocks.size(), false);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  for (std::uint32_t root = 0; root < graph.blocks.size(); ++root) {
    if (!graph.blocks[root].reachable || seen[root]) continue;
    seen[root] = true;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      const std::uint32_t b = stack.back().first;
      const std::vector<std::uint32_t>& successors = graph.blocks[b].successors;
      if (stack.back().second == successors.size()) {
        order.push_back(b);
        stack.pop_back();
        continue;
      }
      const std::uint32_t next = successors[stack.back().second++];
      if (seen[next] || graph.blocks[next].is_header) continue;
      seen[next] = true;
      stack.emplace_back(next, 0);
    }
  }
  return order;
}

// The outcomes of a block in the order in which they are numbered.
std::vector<std::uint32_t> numbering_order(const PathGraph& graph, std::uint32_t block,
                                           const NumberingOptions& options) {
  std::vector<std::uint32_t> order(graph.blocks[block].successors.size());
  std::iota(order.begin(), order.end(), 0);
  const bool known = block < options.weights.size() && options.weights[block].size() == order.size();
  if (known) {
    const std::vector<std::uint64_t>& weights = options.weights[block];
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return weights[a] > weights[b]; });
  }
  if (options.order == EdgeOrder::kColdestFirst) std::reverse(order.begin(), order.end());
  return order;
}

}  // namespace

std::variant<PathNumbering, PathRefusal> PathNumbering::of(const PathGraph& graph, const NumberingOptions& options) {
  PathNumbering numbering;
  for (const PathBlock& block : graph.blocks) {
    numbering.blocks_.push_back({.pc = block.pc,
                                 .last_pc = block.last_pc,
                                 .first_edge = static_cast<std::uint32_t>(numbering.edges_.size()),
                                 .cut = block.is_header && block.reachable});
    for (const std::uint32_t next : block.successors) numbering.edges_.push_back({next, 0});
  }
  std::vector<std::uint64_t> from(graph.blocks.size(), 0);  // how many paths begin there or go on from there
  for (const std::uint32_t b : reverse_topological(graph)) {
    NumberedBlock& block = numbering.blocks_[b];
    std::uint64_t count = 0;
    for (const std::uint32_t outcome : numbering_order(graph, b, options)) {
      NumberedEdge& edge = numbering.edges_[block.first_edge + outcome];
      edge.value = static_cast<std::uint32_t>(count);
      count += numbering.blocks_[edge.target].cut ? 1 : from[edge.target];
      if (count > options.max_paths) return PathRefusal::kTooManyPaths;
    }
    from[b] = graph.blocks[b].successors.empty() ? 1 : count;
    // Where nothing but the entry or an exception leads, paths begin in any case.
    if (from[b] > options.max_paths_from_block && graph.blocks[b].joined) block.cut = true;
  }
  std::uint64_t total = 0;
  const auto begin = [&](PathStart kind, std::uint32_t b) {
    const bool ends_at_once = kind != PathStart::kCut && numbering.blocks_[b].cut;
    numbering.starts_.push_back({static_cast<std::uint32_t>(total), b, kind});
    total += ends_at_once ? 1 : from[b];
    return total <= options.max_paths;
  };
  bool fits = begin(PathStart::kEntry, 0);
  for (std::uint32_t b = 0; b < graph.blocks.size() && fits; ++b) {
    if (!graph.blocks[b].reachable) continue;
    if (numbering.blocks_[b].cut) fits = begin(PathStart::kCut, b);
    if (fits && graph.blocks[b].is_handler) fits = begin(PathStart::kHandler, b);
  }
  if (!fits) return PathRefusal::kTooManyPaths;
  numbering.paths_ = static_cast<std::uint32_t>(total);
  return numbering;
}

std::uint64_t PathNumbering::spared_by(const EdgeWeights& weights) const {
  std::uint64_t spared = 0;
  for (std::uint32_t b = 0; b < std::min<std::size_t>(blocks_.size(), weights.size()); ++b) {
    if (!decides(b) || weights[b].size() != outcomes(b)) continue;
    std::uint64_t free = 0;
    for (std::uint32_t i = 0; i < outcomes(b); ++i) {
      if (value(b, i) == 0) free += weights[b][i];
    }
    spared += *std::max_element(weights[b].begin(), weights[b].end()) - free;
  }
  return spared;
}

std::uint32_t PathNumbering::start_value(PathStart kind, std::uint32_t block) const {
  const auto at = std::find_if(starts_.begin(), starts_.end(),
                               [&](const Start& start) { return start.kind == kind && start.block == block; });
  return at != starts_.end() ? at->first : 0;
}

std::optional<BlockPath> PathNumbering::walk(std::uint32_t number, std::uint32_t until) const {
  if (number >= paths_) return std::nullopt;
  const auto behind =
      std::upper_bound(starts_.begin(), starts_.end(), number, [](auto n, const Start& s) { return n < s.first; });
  const Start& start = *(behind - 1);
  std::uint32_t rest = number - start.first;
  BlockPath path{.blocks = {start.block}, .outcomes = {}};
  bool ended = start.kind != PathStart::kCut && blocks_[start.block].cut;
  std::uint32_t block = start.block;
  while (!ended && block != until && outcomes(block) != 0) {
    std::uint32_t best = kNoBlockYet;
    for (std::uint32_t i = 0; i < outcomes(block); ++i) {
      if (value(block, i) <= rest && (best == kNoBlockYet || value(block, i) > value(block, best))) best = i;
    }
    if (best == kNoBlockYet) return std::nullopt;
    rest -= value(block, best);
    block = edges_[blocks_[block].first_edge + best].target;
    path.blocks.push_back(block);
    path.outcomes.push_back(best);
    ended = blocks_[block].cut;
  }
  const bool arrived = until == kNoBlockYet || block == until;
  return arrived && rest == 0 ? std::optional(std::move(path)) : std::nullopt;
}

std::optional<BlockPath> PathNumbering::path(std::uint32_t number) const {
  return walk(number, kNoBlockYet);
}

// The edges that are still to come add nothing yet: the sum so far is the number of the path that goes on by edges of
// value 0, and what has run is the beginning of that.
std::optional<BlockPath> PathNumbering::partial_path(std::uint32_t number, std::uint32_t block) const {
  return walk(number, block);
}

std::uint32_t PathNumbering::decisions(const BlockPath& path) const {
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < path.outcomes.size(); ++i) count += decides(path.blocks[i]);
  return count;
}

}  // namespace bursar::classfile
