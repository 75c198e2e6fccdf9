#include "classfile/loop_forest.h"

namespace bursar::classfile {

LoopForest::LoopForest(const ControlFlow& flow) {
  find_dominators(flow);
  find_loops(flow);
}

// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm.
void LoopForest::find_dominators(const ControlFlow& flow) {
  const std::vector<Block>& blocks = flow.blocks();
  const std::vector<std::uint32_t>& post_order = flow.post_order();
  std::vector<std::vector<std::uint32_t>> predecessors(blocks.size());
  std::vector<std::uint32_t> number(blocks.size(), kNoBlock);
  for (std::uint32_t i = 0; i < post_order.size(); ++i) {
    number[post_order[i]] = i;
    for (const std::uint32_t next : blocks[post_order[i]].successors) predecessors[next].push_back(post_order[i]);
    for (const std::uint32_t next : blocks[post_order[i]].handlers) predecessors[next].push_back(post_order[i]);
  }
  dominator_.assign(blocks.size(), kNoBlock);
  dominator_[0] = 0;
  for (bool changed = true; changed;) {
    changed = false;
    for (auto at = post_order.rbegin(); at != post_order.rend(); ++at) {
      if (*at == 0) continue;
      std::uint32_t common = kNoBlock;
      for (std::uint32_t other : predecessors[*at]) {
        if (dominator_[other] == kNoBlock) continue;
        if (common == kNoBlock) common = other;
        while (other != common) {
          std::uint32_t& lower = number[other] < number[common] ? other : common;
          lower = dominator_[lower];
        }
      }
      changed |= dominator_[*at] != common;
      dominator_[*at] = common;
    }
  }
  dominator_[0] = kNoBlock;
}

bool LoopForest::dominates(std::uint32_t dominator, std::uint32_t block) const {
  while (block != kNoBlock && block != dominator) block = dominator_[block];
  return block == dominator;
}

// In post order an inner header comes before the header around it.
void LoopForest::find_loops(const ControlFlow& flow) {
  const std::vector<Block>& blocks = flow.blocks();
  std::vector<std::vector<std::uint32_t>> predecessors(blocks.size());
  for (const std::uint32_t b : flow.post_order()) {
    for (const std::uint32_t next : blocks[b].successors) predecessors[next].push_back(b);
  }
  loop_of_.assign(blocks.size(), kNoLoop);
  for (const std::uint32_t header : flow.post_order()) {
    if (!blocks[header].is_loop_header) continue;
    Loop loop{.header = header, .latches = {}};
    for (const RetreatingEdge& edge : flow.retreating_edges()) {
      if (edge.header != header) continue;
      loop.latches.push_back(edge.latch);
      loop.reducible &= dominates(header, edge.latch);
    }
    loops_.push_back(std::move(loop));
    fill(predecessors, static_cast<std::uint32_t>(loops_.size() - 1));
  }
  for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
    if (loop->parent != kNoLoop) loop->depth = loops_[loop->parent].depth + 1;
  }
}

// Walks backwards from the latches to the header; a loop found earlier is taken in as a whole and left by its header.
void LoopForest::fill(const std::vector<std::vector<std::uint32_t>>& predecessors, std::uint32_t loop) {
  const std::uint32_t header = loops_[loop].header;
  if (!loops_[loop].reducible) {
    if (loop_of_[header] == kNoLoop) loop_of_[header] = loop;
    return;
  }
  std::vector<std::uint32_t> work = loops_[loop].latches;
  work.push_back(header);
  while (!work.empty()) {
    const std::uint32_t block = work.back();
    work.pop_back();
    std::uint32_t enter = block;
    if (loop_of_[block] == kNoLoop) {
      loop_of_[block] = loop;
    } else {
      std::uint32_t outer = loop_of_[block];
      while (outer != loop && loops_[outer].parent != kNoLoop) outer = loops_[outer].parent;
      if (outer == loop) continue;
      loops_[outer].parent = loop;
      enter = loops_[outer].header;
    }
    if (enter == header) continue;
    work.insert(work.end(), predecessors[enter].begin(), predecessors[enter].end());
  }
}

}  // namespace bursar::classfile
