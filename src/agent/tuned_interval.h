// TunedInterval: the interval between samples, found while a recording runs, with what it was from when on.
//
// IntervalTuner decides; this measures what samples cost, in each portion of them and, where one takes long, every few
// seconds, and keeps the changes. One user at a time, under the owner's lock.
// Owner: mode sample.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>

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

  // What was before is of no concern.
  void begin(const Cost& cost) { last_cost_ = cost; }
  void sample(std::optional<bool> top_was_seen) { tuner_.sample(top_was_seen); }
  // Often; so long after the recording's start. Whether the interval is another now.
  bool tune(std::uint64_t time_ns, const Cost& cost);

  std::uint64_t interval_ns() const { return tuner_.interval_ns(); }
  void add_to(profile::ProfileData& data) const;

 private:
  void note(std::uint64_t time_ns);

  schemes::IntervalTuner tuner_;
  profile::Series intervals_;
  Cost last_cost_;  // when that was last looked at
  std::uint64_t last_time_ns_ = 0;
};

}  // namespace bursar::agent
