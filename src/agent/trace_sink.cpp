#include "agent/trace_sink.h"

#include "core/gathered_methods.h"

namespace bursar::agent {

std::uint32_t TraceSink::number_of(core::MethodId method) {
  profile::Method named = core::as_runs_agree(methods_[method]);
  const std::lock_guard guard(lock_);
  const auto [at, is_new] = numbers_.try_emplace(std::move(named), static_cast<std::uint32_t>(numbers_.size()));
  if (is_new) file_->methods({at->first});
  return at->second;
}

bool TraceSink::write(std::uint32_t thread, trace::EventEncoder& encoder, std::uint64_t events) {
  if (encoder.pending_bytes() == 0) return !file_->is_full();
  const std::uint64_t start = encoder.pending_start();
  if (!file_->events(thread, start, encoder.take_pending())) return false;
  const std::lock_guard guard(lock_);
  events_ += events;
  return true;
}

std::uint64_t TraceSink::events() const {
  const std::lock_guard guard(lock_);
  return events_;
}

}  // namespace bursar::agent
