#include "agent/gates.h"

#include <algorithm>

#include "classfile/loop_forest.h"
#include "classfile/opcode.h"
#include "classfile/quiet_loops.h"

namespace bursar::agent {
namespace {

constexpr std::size_t kTooLarge = 8000;  // bytes: what the JIT does not compile

// Called by everything, for a moment each.
bool is_everywhere(std::string_view class_name) {
  constexpr std::string_view kUtil = "java/util/";
  if (class_name.starts_with(kUtil)) return class_name.substr(kUtil.size()).find('/') == std::string_view::npos;
  return class_name.starts_with("java/lang/") || class_name.starts_with("java/io/");
}

std::optional<classfile::ConstantPool::MemberRef> callee_of(const classfile::MethodView& method,
                                                            const classfile::Instruction& call) {
  if (call.opcode == classfile::op::kInvokedynamic) return std::nullopt;
  base::ByteReader operand(method.code.instructions.code(), call.pc + 1);
  return method.file.pool.member_ref(operand.u2_be());
}

bool calls_itself(const classfile::MethodView& method, const classfile::Instruction& call) {
  const auto ref = callee_of(method, call);
  return ref && ref->class_name == method.class_name && ref->name == method.name &&
         ref->descriptor == method.descriptor;
}

// Sorting takes long; other comparisons of java.util are over soon.
bool sorts(std::string_view class_name) {
  return class_name == "java/util/TimSort" || class_name == "java/util/ComparableTimSort" ||
         class_name == "java/util/Arrays";
}

// Of what a program has handed to the library, which may be all that the program does: list.forEach(…).
bool calls_back(const classfile::MethodView& method, const classfile::Instruction& call) {
  const auto ref = callee_of(method, call);
  if (!ref) return false;
  if (ref->class_name.starts_with("java/util/function/")) return true;
  return sorts(method.class_name) &&
         (ref->class_name == "java/util/Comparator" || ref->class_name == "java/lang/Comparable");
}

}  // namespace

std::vector<Gates::Call> Gates::calls(const classfile::MethodView& method) const {
  const classfile::Instructions& code = method.code.instructions;
  const bool all = !named_.empty();
  if (all && !named_.contains(std::string(method.class_name) + "." + std::string(method.name))) return {};
  if (!all && method.name.starts_with('<')) return {};
  if (code.code().size() > kTooLarge) return {};
  const bool few = !all && is_everywhere(method.class_name);
  const classfile::LoopForest forest(method.flow);
  const auto loops_around = [&](std::uint32_t instruction, auto&& with) {
    for (std::uint32_t loop = forest.loop_of(method.flow.block_of(instruction)); loop != classfile::kNoLoop;
         loop = forest.loops()[loop].parent) {
      with(loop);
    }
  };
  std::vector<bool> is_gate(forest.loops().size(), !few);
  for (std::uint32_t i = 0; few && i < code.size(); ++i) {
    if (classfile::is_invoke(code[i].opcode) && calls_back(method, code[i]))
      loops_around(i, [&](std::uint32_t loop) { is_gate[loop] = true; });
  }
  std::vector<Call> calls;
  std::vector<std::uint32_t> blocks_of_gates;  // that are calls
  for (std::uint32_t i = 0; i < code.size(); ++i) {
    if (!classfile::is_invoke(code[i].opcode)) continue;
    const std::uint32_t block = method.flow.block_of(i);
    Call call{.pc = code[i].pc};
    loops_around(i, [&](std::uint32_t loop) {
      const classfile::Block& header = method.flow.blocks()[forest.loops()[loop].header];
      if (is_gate[loop] && !header.is_handler && header.is_loop_header) call.loops.push_back(code[header.first].pc);
    });
    if (call.loops.empty() && !few) {
      call.follows = std::any_of(blocks_of_gates.begin(), blocks_of_gates.end(),
                                 [&](std::uint32_t gate) { return forest.dominates(gate, block); });
      call.is_gate = all || (!call.follows && calls_itself(method, code[i]));
      if (call.is_gate && !all) blocks_of_gates.push_back(block);
    }
    if (call.is_gate || call.follows || !call.loops.empty()) calls.push_back(std::move(call));
  }
  return calls;
}

bool Gates::end_code(const classfile::MethodView& method) const {
  return code_ends_ && !classfile::has_loop_of_no_entry(method);
}

std::optional<GateNumber> Gates::number(core::MethodId method, std::uint32_t pc) {
  const std::lock_guard guard(lock_);
  const auto next = static_cast<GateNumber>(methods_.size());
  const std::uint64_t key = std::uint64_t{method} << 32 | pc;
  if (next >= kMost) {
    const auto known = numbers_.find(key);
    return known != numbers_.end() ? std::optional(known->second) : std::nullopt;
  }
  const auto [at, is_new] = numbers_.try_emplace(key, next);
  if (is_new) {
    methods_.push_back(method);
  }
  return at->second;
}

core::MethodId Gates::method_of(GateNumber gate) const {
  const std::lock_guard guard(lock_);
  return methods_[gate];
}

}  // namespace bursar::agent
