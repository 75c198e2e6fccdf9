#include "agent/tuned_interval.h"

namespace bursar::agent {
namespace {

// A cost is looked at after so long, and where the process has used so much CPU time: of less it says nothing.
constexpr std::uint64_t kCostEveryNs = 5'000'000'000, kFewestProcessNs = 500'000'000;

}  // namespace

TunedInterval::TunedInterval(const AgentOptions& options)
    : tuner_(options.min_interval_ns, options.max_interval_ns), intervals_{"sampling_interval", "ns", {}, {}, {}} {
  note(0);
}

bool TunedInterval::tune(std::uint64_t time_ns, const Cost& cost) {
  const std::uint64_t own_ns = cost.own_ns - last_cost_.own_ns, process_ns = cost.process_ns - last_cost_.process_ns;
  const bool is_portion = tuner_.is_due();
  if (!is_portion && (time_ns - last_time_ns_ < kCostEveryNs || process_ns < kFewestProcessNs)) return false;
  last_cost_ = cost;
  last_time_ns_ = time_ns;
  const double part = process_ns > 0 ? static_cast<double>(own_ns) / static_cast<double>(process_ns) : 0;
  const bool is_another = is_portion ? tuner_.evaluate(part) : tuner_.heed(part);
  if (is_another) note(time_ns);
  return is_another;
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
