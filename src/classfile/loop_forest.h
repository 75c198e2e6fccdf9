// LoopForest: how the loops of a method nest, from its control flow.
//
// A loop is a header and what can reach one of its latches without passing the header, by ordinary edges; an inner loop
// belongs to it as a whole. Loops are listed from the inside out: a loop comes before the one around it. An irreducible
// loop (its header does not dominate every latch) has no well-defined body: it holds its header only.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <vector>

#include "classfile/control_flow.h"

namespace bursar::classfile {

inline constexpr std::uint32_t kNoLoop = 0xffffffff;
inline constexpr std::uint32_t kNoBlock = 0xffffffff;

struct Loop {
  std::uint32_t header;                // block
  std::vector<std::uint32_t> latches;  // blocks whose retreating edge leads to the header
  std::uint32_t parent = kNoLoop;      // the loop around it
  std::uint32_t depth = 1;             // 1: outermost
  bool reducible = true;
};

class LoopForest {
 public:
  explicit LoopForest(const ControlFlow& flow);

  const std::vector<Loop>& loops() const { return loops_; }
  // The innermost loop around a block, an index into loops(), or kNoLoop.
  std::uint32_t loop_of(std::uint32_t block) const { return loop_of_[block]; }
  // The nearest block that every way to `block` passes; kNoBlock for block 0 and unreachable ones.
  std::uint32_t immediate_dominator(std::uint32_t block) const { return dominator_[block]; }
  bool dominates(std::uint32_t dominator, std::uint32_t block) const;

 private:
  void find_dominators(const ControlFlow& flow);
  void find_loops(const ControlFlow& flow);
  void fill(const std::vector<std::vector<std::uint32_t>>& predecessors, std::uint32_t loop);

  std::vector<Loop> loops_;
  std::vector<std::uint32_t> loop_of_;
  std::vector<std::uint32_t> dominator_;
};

}  // namespace bursar::classfile
