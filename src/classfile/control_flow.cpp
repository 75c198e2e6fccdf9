#include "classfile/control_flow.h"

#include <algorithm>
#include <utility>

namespace bursar::classfile {

std::optional<ControlFlow> ControlFlow::of(const CodeAttribute& code) {
  ControlFlow flow;
  flow.cut(code);
  if (!flow.connect(code) || !flow.connect_handlers(code)) return std::nullopt;
  flow.walk();
  return flow;
}

void ControlFlow::cut(const CodeAttribute& code) {
  const Instructions& instructions = code.instructions;
  std::vector<bool> leader(instructions.size() + 1, false);
  leader[0] = true;
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    const Instruction& instruction = instructions[i];
    const bool branches = is_conditional_branch(instruction.opcode);
    if (branches || is_goto(instruction.opcode) || is_jsr(instruction.opcode) || is_switch(instruction.opcode)) {
      leader[instruction.target] = true;
    }
    for (const std::uint32_t target : instructions.case_targets(instruction)) leader[target] = true;
    if (branches || ends_flow(instruction.opcode)) leader[i + 1] = true;
  }
  for (const ExceptionEntry& entry : code.exceptions) {
    leader[entry.start] = leader[entry.end] = leader[entry.handler] = true;
  }
  block_of_.resize(instructions.size());
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    if (leader[i]) blocks_.emplace_back().first = i;
    blocks_.back().last = i;
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
  }
}

bool ControlFlow::connect(const CodeAttribute& code) {
  const Instructions& instructions = code.instructions;
  std::vector<std::uint32_t> behind_jsr;
  for (std::uint32_t i = 0; i + 1 < instructions.size(); ++i) {
    if (is_jsr(instructions[i].opcode)) behind_jsr.push_back(block_of_[i + 1]);
  }
  std::size_t edges_left = kMaxEdges;
  for (Block& block : blocks_) {
    const Instruction& last = instructions[block.last];
    if (!ends_flow(last.opcode)) block.successors.push_back(block_of_[block.last + 1]);
    if (is_conditional_branch(last.opcode) || is_goto(last.opcode) || is_jsr(last.opcode)) {
      block.successors.push_back(block_of_[last.target]);
    }
    if (is_switch(last.opcode)) {
      for (const std::uint32_t target : instructions.distinct_targets(last)) {
        block.successors.push_back(block_of_[target]);
      }
    }
    if (last.opcode == op::kRet) {
      if (behind_jsr.size() > edges_left) return false;
      edges_left -= behind_jsr.size();
      block.successors = behind_jsr;
    }
    if (block.successors.size() == 2 && block.successors[0] == block.successors[1]) block.successors.pop_back();
    for (const std::uint32_t successor : block.successors) ++blocks_[successor].predecessors;
  }
  return true;
}

bool ControlFlow::connect_handlers(const CodeAttribute& code) {
  std::size_t edges_left = kMaxEdges;
  for (const ExceptionEntry& entry : code.exceptions) {
    const std::uint32_t handler = block_of_[entry.handler];
    blocks_[handler].is_handler = true;
    for (std::uint32_t b = block_of_[entry.start]; b < blocks_.size() && blocks_[b].first < entry.end; ++b) {
      if (edges_left-- == 0) return false;
      blocks_[b].handlers.push_back(handler);
    }
  }
  for (Block& block : blocks_) {
    std::sort(block.handlers.begin(), block.handlers.end());
    block.handlers.erase(std::unique(block.handlers.begin(), block.handlers.end()), block.handlers.end());
  }
  return true;
}

// Depth first, without recursion; ordinary edges before exception edges.
void ControlFlow::walk() {
  enum class State : std::uint8_t { kNew, kOpen, kDone };
  std::vector<State> state(blocks_.size(), State::kNew);
  std::vector<std::pair<std::uint32_t, std::size_t>> stack;
  const auto open = [&](std::uint32_t b) {
    state[b] = State::kOpen;
    blocks_[b].reachable = true;
    stack.emplace_back(b, 0);
  };
  open(0);
  while (!stack.empty()) {
    const std::uint32_t b = stack.back().first;
    const std::size_t edge = stack.back().second++;
    const Block& block = blocks_[b];
    if (edge == block.successors.size() + block.handlers.size()) {
      state[b] = State::kDone;
      post_order_.push_back(b);
      stack.pop_back();
      continue;
    }
    const bool ordinary = edge < block.successors.size();
    const std::uint32_t next = ordinary ? block.successors[edge] : block.handlers[edge - block.successors.size()];
    if (state[next] == State::kNew) {
      open(next);
    } else if (state[next] == State::kOpen && ordinary) {
      retreating_.push_back({b, next});
      blocks_[next].is_loop_header = true;
    }
  }
}

}  // namespace bursar::classfile
