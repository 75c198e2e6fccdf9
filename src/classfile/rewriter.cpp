#include "classfile/rewriter.h"

#include <utility>

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
    if (snippet.jumps()) reason_ = SkipReason::kBadProbe;
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
    } else if (is_invoke(instruction.opcode)) {
      place({.kind = ProbeKind::kBeforeCall, .pc = pc}, on_arrival);
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

  const MethodView& method_;
  const Instructions& instructions_;
  CodeEditor& editor_;
  ConstantPool& pool_;
  Instrumentation& instrumentation_;
  std::optional<SkipReason> reason_;
};

struct MethodOutcome {
  std::optional<SkipReason> reason;
  bool declined = false;  // the instrumentation wanted nothing here
  std::vector<std::uint8_t> attribute;
  std::uint32_t old_size = 0;
  std::uint32_t new_size = 0;
};

MethodOutcome rewrite_method(ClassFile& file, const Member& member, base::Bytes code_bytes,
                             Instrumentation& instrumentation, const RewriteOptions& options) {
  MethodOutcome outcome;
  const base::Result<CodeAttribute> code = CodeAttribute::parse(code_bytes, file.pool);
  if (!code) {
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
    auto opened = CodeEditor::open(file, member, *code);
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
    return std::nullopt;
  }();
  const bool rewritten = !outcome.reason && !outcome.declined;
  if (!rewritten) file.pool.truncate(pool_before);
  instrumentation.end(rewritten);
  return outcome;
}

void count(const MethodOutcome& outcome, RewriteCounts& counts) {
  ++counts.methods_with_code;
  if (outcome.reason) {
    ++counts.skipped[static_cast<std::size_t>(*outcome.reason)];
    return;
  }
  if (outcome.declined) return;
  ++counts.rewritten;
  counts.old_code_bytes += outcome.old_size;
  counts.new_code_bytes += outcome.new_size;
  const auto crossed = [&](std::uint32_t limit) { return outcome.old_size <= limit && outcome.new_size > limit; };
  counts.crossed_inline_limit += crossed(kInlineLimit);
  counts.crossed_frequent_inline_limit += crossed(kFrequentInlineLimit);
  counts.crossed_compile_limit += crossed(kCompileLimit);
}

}  // namespace

RewriteCounts& RewriteCounts::operator+=(const RewriteCounts& other) {
  methods_with_code += other.methods_with_code;
  rewritten += other.rewritten;
  for (std::size_t i = 0; i < skipped.size(); ++i) skipped[i] += other.skipped[i];
  old_code_bytes += other.old_code_bytes;
  new_code_bytes += other.new_code_bytes;
  crossed_inline_limit += other.crossed_inline_limit;
  crossed_frequent_inline_limit += other.crossed_frequent_inline_limit;
  crossed_compile_limit += other.crossed_compile_limit;
  return *this;
}

base::Result<Rewritten> rewrite(base::Bytes class_file, Instrumentation& instrumentation,
                                const RewriteOptions& options) {
  base::Result<ClassFile> parsed = ClassFile::parse(class_file);
  if (!parsed) return parsed.error();
  ClassFile& file = *parsed;
  Rewritten result;
  bool changed = false;
  for (Member& method : file.methods) {
    const int at = file.code_attribute(method);
    if (at < 0) continue;
    Attribute& attribute = method.attributes[static_cast<std::size_t>(at)];
    MethodOutcome outcome = rewrite_method(file, method, attribute.data, instrumentation, options);
    count(outcome, result.counts);
    if (outcome.attribute.empty()) continue;
    attribute.data = file.keep(std::move(outcome.attribute));
    changed = true;
  }
  if (changed) result.bytes = file.write();
  return result;
}

}  // namespace bursar::classfile
