#include "classfile/path_probes.h"

#include "classfile/opcode.h"

namespace bursar::classfile {

const std::array<NewLocal, 1> PathProbes::kLocals = {NewLocal{.type = NewLocal::Type::kInt, .class_name = {}}};

bool PathProbes::begin(const MethodView& method) {
  method_ = &method;
  numbering_.reset();
  if (!sink_.wants(method)) return false;
  const auto graph = PathGraph::of(method.code, method.flow);
  const auto* refusal = std::get_if<PathRefusal>(&graph);
  if (refusal == nullptr) {
    const PathGraph& found = *std::get_if<PathGraph>(&graph);
    auto numbering = PathNumbering::of(found, sink_.options(method, found));
    if (auto* const numbers = std::get_if<PathNumbering>(&numbering)) {
      numbering_ = *numbers;
      const auto first = sink_.add(method, std::move(*numbers));
      if (first) {
        first_ = *first;
        return true;
      }
    }
    sink_.refused(method, PathRefusal::kTooManyPaths);
  } else if (*refusal != PathRefusal::kNoBranch) {
    sink_.refused(method, *refusal);
  }
  return false;
}

bool PathProbes::watches(std::uint32_t pc) {
  const std::uint32_t instruction = method_->code.instructions.index_at(pc);
  const std::uint32_t block = method_->flow.block_of(instruction);
  return method_->code.instructions[instruction].opcode == op::kAthrow ||
         (numbering_->is_cut(block) && numbering_->pc(block) == pc);
}

void PathProbes::set(Snippet& snippet, PathStart start, std::uint32_t block) const {
  snippet.push_int(static_cast<std::int32_t>(first_ + numbering_->start_value(start, block)));
  snippet.store(register_);
}

void PathProbes::probe(Snippet& snippet) const {
  snippet.load(register_);
  snippet.invoke_static(class_, probe_, "(I)V");
}

void PathProbes::emit(const ProbePoint& point, Snippet& snippet) {
  const std::uint32_t block = method_->flow.block_of(method_->code.instructions.index_at(point.pc));
  switch (point.kind) {
    case ProbeKind::kEntry:
      return set(snippet, PathStart::kEntry, 0);
    case ProbeKind::kHandler:
      if (method_->flow.blocks()[block].reachable) set(snippet, PathStart::kHandler, block);
      return;
    case ProbeKind::kLoopHeader:
    case ProbeKind::kBlock:
      if (!numbering_->is_cut(block)) return;
      probe(snippet);
      return set(snippet, PathStart::kCut, block);
    case ProbeKind::kBranchEdge:
      if (!numbering_->decides(block) || numbering_->value(block, point.outcome) == 0) return;
      return snippet.increment(register_, static_cast<std::int32_t>(numbering_->value(block, point.outcome)));
    case ProbeKind::kExit:
    case ProbeKind::kThrow:
      return probe(snippet);
    case ProbeKind::kBeforeCall:
    case ProbeKind::kAfterCall:
    case ProbeKind::kUnwind:
      return;
  }
}

}  // namespace bursar::classfile
