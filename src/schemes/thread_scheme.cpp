#include "schemes/thread_scheme.h"

namespace bursar::schemes {

bool has_gaps(const Options& options) {
  if (options.kind == Kind::kExhaustive) return false;
  const bool follows = options.kind == Kind::kStatic || (options.kind == Kind::kAdaptive && options.reenable >= 1);
  return !follows || options.burst_ns < options.interval_ns;
}

ThreadScheme::ThreadScheme(const Options& options, HistoryTable& history, std::uint64_t thread)
    : options_(options), history_(history), random_(options.seed, thread), always_(!has_gaps(options)) {}

ThreadScheme::Action ThreadScheme::tick(Signature stack, std::uint64_t now_ns) {
  ++counts_.ticks;
  switch (options_.kind) {
    case Kind::kExhaustive:
    case Kind::kCounter:  // a YieldpointSampler's
      return Action::kNone;
    case Kind::kStackWalk:
      return Action::kSample;
    case Kind::kStatic:
      return begin_burst(1, now_ns);
    case Kind::kAdaptive:
      break;
  }
  if (options_.reenable >= 1) return begin_burst(1, now_ns);
  if (!history_.seen(stack)) return begin_burst(1, now_ns);
  if (random_.part() >= options_.reenable) {
    ++counts_.suppressed;
    return Action::kNone;
  }
  ++counts_.reenabled;
  return begin_burst(1 / options_.reenable, now_ns);
}

ThreadScheme::Action ThreadScheme::begin_burst(double weight, std::uint64_t now_ns) {
  ++counts_.bursts;
  weight_ = weight;
  burst_end_ns_ = now_ns + options_.burst_ns;
  return Action::kBurst;
}

double calls_per_weight(const Options& options) {
  if (!has_gaps(options) || options.kind == Kind::kStackWalk || options.burst_ns == 0) return 1;
  return static_cast<double>(options.interval_ns) / static_cast<double>(options.burst_ns);
}

}  // namespace bursar::schemes
