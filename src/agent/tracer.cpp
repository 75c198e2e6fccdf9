#include "agent/tracer.h"

#include <time.h>

namespace bursar::agent {

std::uint64_t Tracer::now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

base::Result<std::unique_ptr<Tracer>> Tracer::create(const Options& options, const core::MethodTable& methods,
                                                     const std::map<std::string, std::string>& facts) {
  auto file = trace::TraceWriter::create(options.path, options.max_bytes);
  if (!file) return file.error();
  (*file)->facts(facts);
  return std::unique_ptr<Tracer>(new Tracer(std::move(*file), methods, now_ns() + options.skip_ns));
}

std::uint64_t Tracer::open_log(const core::ContextTree& tree) {
  const std::lock_guard guard(lock_);
  if (sink_.file().is_full()) return 0;
  auto log = std::make_unique<TraceLog>(sink_, tree, threads_);
  const std::uint64_t position = log->first();
  if (position == 0) return 0;
  ++threads_;
  logs_.emplace(TraceLog::buffer_of(position), std::move(log));
  return position;
}

void Tracer::close_log(std::uint64_t position, std::string_view thread_name) {
  const std::lock_guard guard(lock_);
  const auto at = logs_.find(TraceLog::buffer_of(position));
  if (at == logs_.end()) return;
  at->second->close(position);
  name(*at->second, thread_name);
  logs_.erase(at);
}

void Tracer::name(const TraceLog& log, std::string_view thread_name) {
  sink_.file().thread(log.number(), thread_name);
}

Tracer::Outcome Tracer::finish(const std::vector<OpenLog>& open, const std::map<std::string, std::string>& facts) {
  const std::lock_guard guard(lock_);
  for (const OpenLog& thread : open) {
    // It may have ended meanwhile.
    const auto at = logs_.find(TraceLog::buffer_of(thread.position));
    if (at == logs_.end()) continue;
    at->second->close(thread.position);
    name(*at->second, thread.thread_name);
  }
  Outcome outcome;
  outcome.events = sink_.events();
  outcome.full = sink_.file().is_full();
  sink_.file().facts(facts);
  const base::Status finished = sink_.file().finish();
  if (!finished) outcome.error = finished.error().message;
  return outcome;
}

}  // namespace bursar::agent
