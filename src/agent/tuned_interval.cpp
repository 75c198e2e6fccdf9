#include "agent/tuned_interval.h"

namespace bursar::agent {

TunedInterval::TunedInterval(const AgentOptions& options)
    : tuner_(options.min_interval_ns, options.max_interval_ns), intervals_{"sampling_interval", "ns", {}, {}, {}} {
  note(0);
}

bool TunedInterval::tune(std::uint64_t time_ns, const Cost& cost) {
  const std::uint64_t own_ns = cost.own_ns - portion_.own_ns, process_ns = cost.process_ns - portion_.process_ns;
  portion_ = cost;
  if (!tuner_.evaluate(process_ns > 0 ? static_cast<double>(own_ns) / static_cast<double>(process_ns) : 0)) {
    return false;
  }
  note(time_ns);
  return true;
}

void TunedInterval::note(std::uint64_t time_ns) {
  intervals_.time_ns.push_back(time_ns);
  intervals_.thread.push_back(profile::kNone);
  intervals_.value.push_back(static_cast<double>(tuner_.interval_ns()));
}

void TunedInterval::add_to(profile::ProfileData& data) const {
  data.series.push_back(intervals_);
  data.counters["interval_changes"] = intervals_.value.size() - 1;
}

}  // namespace bursar::agent
