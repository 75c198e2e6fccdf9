// TunedInterval: the interval between samples, found while a recording runs, with what it was from when on.
//
// IntervalTuner decides; this measures what a portion of samples cost, and keeps the changes. One user at a time, under
// the owner's lock.
// Owner: mode sample.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>

#include "agent/agent_options.h"
#include "profile/profile.h"
#include "schemes/interval_tuner.h"

namespace bursar::agent {

class TunedInterval {
 public:
  // CPU time so far: of the profiler, and of the process with it.
  struct Cost {
    std::uint64_t own_ns = 0, process_ns = 0;
  };

  explicit TunedInterval(const AgentOptions& options);

  // What was before is not of the first portion.
  void begin(const Cost& cost) { portion_ = cost; }
  void sample(bool top_was_seen) { tuner_.sample(top_was_seen); }
  bool is_due() const { return tuner_.is_due(); }
  // The end of a portion, so long after the recording's start. Whether the interval is another now.
  bool tune(std::uint64_t time_ns, const Cost& cost);

  std::uint64_t interval_ns() const { return tuner_.interval_ns(); }
  void add_to(profile::ProfileData& data) const;

 private:
  void note(std::uint64_t time_ns);

  schemes::IntervalTuner tuner_;
  profile::Series intervals_;
  Cost portion_;  // when it began
};

}  // namespace bursar::agent
