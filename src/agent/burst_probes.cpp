#include "agent/burst_probes.h"

namespace bursar::agent {

using classfile::ProbeKind;

bool BurstProbes::begin(const classfile::MethodView& method) {
  has_paths_ = false;
  if (!calls_.begin(method)) return false;
  locals_.assign(calls_.locals().begin(), calls_.locals().end());
  has_paths_ = paths_ && calls_.has_node() && paths_->begin(method);
  if (has_paths_) {
    paths_->set_register(locals_.size());
    locals_.insert(locals_.end(), paths_->locals().begin(), paths_->locals().end());
  }
  return true;
}

void BurstProbes::emit(const classfile::ProbePoint& point, classfile::Snippet& snippet) {
  // A path ends before its frame is left. What calls put at the entry must come last.
  const bool paths_first = point.kind == ProbeKind::kEntry || point.kind == ProbeKind::kExit;
  if (has_paths_ && paths_first) paths_->emit(point, snippet);
  calls_.emit(point, snippet);
  if (has_paths_ && !paths_first) paths_->emit(point, snippet);
}

}  // namespace bursar::agent
