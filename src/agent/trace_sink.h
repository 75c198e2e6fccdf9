// TraceSink: the trace file, as the logs of all threads write to it: numbers methods and counts what is kept.
//
// A method is written when it gets its number, so it comes before the events that name it.
// Owner: the tracer.
// Runs in: any thread that may block; several at a time
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "core/method_table.h"
#include "profile/profile.h"
#include "trace/events.h"
#include "trace/trace_file.h"

namespace bursar::agent {

class TraceSink {
 public:
  // `begin_ns`: when the trace begins, by Tracer::now_ns.
  TraceSink(const core::MethodTable& methods, std::unique_ptr<trace::TraceWriter> file, std::uint64_t begin_ns)
      : methods_(methods), begin_ns_(begin_ns), file_(std::move(file)) {}

  const core::MethodTable& methods() const { return methods_; }
  std::uint64_t begin_ns() const { return begin_ns_; }
  trace::TraceWriter& file() { return *file_; }

  // In the trace.
  std::uint32_t number_of(core::MethodId method);
  // What the encoder holds, `events` in number. False if the trace has come to its end.
  bool write(std::uint32_t thread, trace::EventEncoder& encoder, std::uint64_t events);
  std::uint64_t events() const;

 private:
  const core::MethodTable& methods_;
  const std::uint64_t begin_ns_;
  std::unique_ptr<trace::TraceWriter> file_;
  mutable std::mutex lock_;
  std::map<profile::Method, std::uint32_t> numbers_;
  std::uint64_t events_ = 0;
};

}  // namespace bursar::agent
