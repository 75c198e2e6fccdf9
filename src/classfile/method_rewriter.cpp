#include "classfile/method_rewriter.h"

#include <algorithm>
#include <string>
#include <utility>

#include "classfile/descriptor.h"
#include "classfile/method_copies.h"

namespace bursar::classfile {
namespace {

// Asks the instrumentation for every place of one method and puts what it says there.
class MethodRewriter {
 public:
  MethodRewriter(const MethodView& method, CodeEditor& editor, ConstantPool& pool, Instrumentation& instrumentation)
      : method_(method),
        instructions_(method.code.instructions),
        editor_(editor),
        pool_(pool),
        instrumentation_(instrumentation) {}

  std::optional<SkipReason> run(LocalPlacement placement) {
    const std::span<const NewLocal> locals = instrumentation_.locals();
    if (!locals.empty()) {
      if (const auto reason = editor_.add_locals(locals, placement, pool_)) return reason;
    }
    Snippet entry(pool_, locals, editor_.local_slots());
    instrumentation_.emit({.kind = ProbeKind::kEntry}, entry);
    for (std::uint32_t i = 0; i < instructions_.size() && !reason_; ++i) {
      const Block& block = method_.flow.blocks()[method_.flow.block_of(i)];
      if (block.first == i) place_block_start(i, block);
      place_instruction(i);
    }
    if (editor_.can_unwind()) {
      place({.kind = ProbeKind::kUnwind}, [&](const Snippet& snippet) { editor_.insert_on_unwind(snippet); });
    }
    const bool has_probes = !entry.empty() || !editor_.empty();
    if (has_probes && !reason_) place_entry(entry, locals);
    return reason_;
  }

 private:
  template <class Insert>
  void insert(const Snippet& snippet, Insert&& put) {
    SkipReason reason{};
    if (!snippet.usable(reason)) {
      reason_ = reason;
    } else if (!snippet.empty()) {
      put();
    }
  }

  template <class Insert>
  void place(const ProbePoint& point, Insert&& put) {
    if (reason_) return;
    Snippet snippet(pool_, instrumentation_.locals(), editor_.local_slots());
    instrumentation_.emit(point, snippet);
    const bool may_fork = point.kind == ProbeKind::kBeforeCall;
    if (snippet.jumps() || (snippet.forks() && !may_fork)) reason_ = SkipReason::kBadProbe;
    insert(snippet, [&] { put(snippet); });
  }

  // A local that is not set at entry would make every frame of the method wrong.
  void place_entry(const Snippet& entry, std::span<const NewLocal> locals) {
    Snippet defaults(pool_, locals, editor_.local_slots());
    for (std::size_t i = 0; i < locals.size(); ++i) {
      if (entry.stores(i)) continue;
      defaults.push_zero(locals[i].type);
      defaults.store(i);
    }
    insert(defaults, [&] { editor_.prepend(defaults); });
    insert(entry, [&] { editor_.prepend(entry); });
  }

  void place_block_start(std::uint32_t index, const Block& block) {
    const std::uint32_t pc = instructions_[index].pc;
    if (block.is_handler) {
      const bool also_reached = block.predecessors != 0 || index == 0;
      place({.kind = ProbeKind::kHandler, .pc = pc},
            [&](const Snippet& snippet) { editor_.insert_on_catch(index, also_reached, snippet); });
    }
    if (block.is_loop_header) {
      place({.kind = ProbeKind::kLoopHeader, .pc = pc},
            [&](const Snippet& snippet) { editor_.insert_on_arrival(index, snippet); });
    } else if (instrumentation_.watches(pc)) {
      place({.kind = ProbeKind::kBlock, .pc = pc},
            [&](const Snippet& snippet) { editor_.insert_on_arrival(index, snippet); });
    }
  }

  void place_instruction(std::uint32_t index) {
    const Instruction& instruction = instructions_[index];
    const std::uint32_t pc = instruction.pc;
    const auto on_arrival = [&](const Snippet& snippet) { editor_.insert_on_arrival(index, snippet); };
    const auto on_fall_through = [&](const Snippet& snippet) { editor_.insert_on_fall_through(index + 1, snippet); };
    const auto edge = [&](std::uint32_t outcome, std::uint32_t target) {
      return ProbePoint{
          .kind = ProbeKind::kBranchEdge, .pc = pc, .outcome = outcome, .target = instructions_[target].pc};
    };
    if (is_return(instruction.opcode)) {
      place({.kind = ProbeKind::kExit, .pc = pc}, on_arrival);
    } else if (instruction.opcode == op::kAthrow) {
      if (instrumentation_.watches(pc)) place({.kind = ProbeKind::kThrow, .pc = pc}, on_arrival);
    } else if (is_invoke(instruction.opcode)) {
      place({.kind = ProbeKind::kBeforeCall, .pc = pc}, [&](const Snippet& snippet) {
        if (!snippet.forks()) return on_arrival(snippet);
        if (const auto copy = copy_call(index)) editor_.fork(index, *copy, snippet);
      });
      if (!reason_ && instrumentation_.redirects(pc)) {
        if (const auto copy = copy_call(index)) editor_.redirect(index, *copy);
      }
      place({.kind = ProbeKind::kAfterCall, .pc = pc}, on_fall_through);
    } else if (is_conditional_branch(instruction.opcode)) {
      place(edge(0, index + 1), on_fall_through);
      place(edge(1, instruction.target),
            [&](const Snippet& snippet) { editor_.insert_on_jump(index, instruction.target, snippet); });
    } else if (is_switch(instruction.opcode)) {
      std::uint32_t outcome = 0;
      for (const std::uint32_t target : instructions_.distinct_targets(instruction)) {
        place(edge(outcome++, target), [&](const Snippet& snippet) { editor_.insert_on_jump(index, target, snippet); });
      }
    }
  }

  // The call of the copy of what this calls.
  std::optional<CopyCall> copy_call(std::uint32_t index) {
    if (const auto other = instrumentation_.copy_call(instructions_[index].pc, pool_)) {
      if (other->constant == 0) reason_ = SkipReason::kConstantPoolFull;
      return other->constant != 0 ? other : std::nullopt;
    }
    base::ByteReader operand(instructions_.code(), instructions_[index].pc + 1);
    const std::uint32_t constant = operand.u2_be();
    const auto ref = pool_.member_ref(constant);
    if (!ref) return std::nullopt;
    const auto copy = pool_.add_method_ref_like(constant, descriptor_of_copy(ref->descriptor));
    if (!copy) reason_ = SkipReason::kConstantPoolFull;
    return copy ? std::optional(CopyCall{.opcode = instructions_[index].opcode, .constant = *copy}) : std::nullopt;
  }

  const MethodView& method_;
  const Instructions& instructions_;
  CodeEditor& editor_;
  ConstantPool& pool_;
  Instrumentation& instrumentation_;
  std::optional<SkipReason> reason_;
};

// How many slots a method's locals have when it has this descriptor (empty: its own).
std::uint16_t locals_with_parameters(std::uint16_t max_locals, const Member& method, std::string_view descriptor) {
  const auto shape = call_shape(descriptor);
  if (descriptor.empty() || !shape) return max_locals;
  const unsigned slots = shape->argument_slots + ((method.access & kAccStatic) != 0 ? 0 : 1);
  return std::max(max_locals, static_cast<std::uint16_t>(slots));
}

}  // namespace

bool make_room_for_parameters(CodeAttribute& code, const Member& method, std::string_view descriptor) {
  if (!descriptor.empty() && !call_shape(descriptor)) return false;
  code.max_locals = locals_with_parameters(code.max_locals, method, descriptor);
  return true;
}

MethodOutcome rewrite_method(ClassFile& file, const Member& member, base::Bytes code_bytes,
                             Instrumentation& instrumentation, const RewriteOptions& options,
                             std::string_view descriptor) {
  MethodOutcome outcome;
  base::Result<CodeAttribute> code = CodeAttribute::parse(code_bytes, file.pool);
  if (!code || !make_room_for_parameters(*code, member, descriptor)) {
    outcome.reason = SkipReason::kMalformedCode;
    return outcome;
  }
  const std::optional<ControlFlow> flow = ControlFlow::of(*code);
  if (!flow) {
    outcome.reason = SkipReason::kTooComplex;
    return outcome;
  }
  const MethodView view{.class_name = file.name(),
                        .name = file.member_name(member),
                        .descriptor = file.member_descriptor(member),
                        .access = member.access,
                        .file = file,
                        .member = member,
                        .code = *code,
                        .flow = *flow};
  if (!instrumentation.begin(view)) {
    outcome.declined = true;
    return outcome;
  }
  const std::uint32_t pool_before = file.pool.count();
  outcome.reason = [&]() -> std::optional<SkipReason> {
    auto opened = CodeEditor::open(file, member, *code, descriptor);
    if (const auto* reason = std::get_if<SkipReason>(&opened)) return *reason;
    CodeEditor& editor = *std::get_if<CodeEditor>(&opened);
    MethodRewriter rewriter(view, editor, file.pool, instrumentation);
    if (const auto reason = rewriter.run(options.placement)) return reason;
    outcome.declined = editor.empty();
    if (outcome.declined) return std::nullopt;
    auto finished = editor.finish(file.pool);
    if (const auto* reason = std::get_if<SkipReason>(&finished)) return *reason;
    auto& edited = *std::get_if<CodeEditor::Edited>(&finished);
    outcome.old_size = static_cast<std::uint32_t>(code->instructions.code().size());
    outcome.new_size = edited.code_size;
    const bool crosses = outcome.old_size <= kCompileLimit && outcome.new_size > kCompileLimit;
    if (crosses && !options.cross_compile_limit) return SkipReason::kOverCompileLimit;
    outcome.attribute = std::move(edited.attribute);
    outcome.calls = std::move(edited.calls);
    return std::nullopt;
  }();
  const bool rewritten = !outcome.reason && !outcome.declined;
  if (!rewritten) file.pool.truncate(pool_before);
  instrumentation.end(rewritten);
  return outcome;
}

}  // namespace bursar::classfile
