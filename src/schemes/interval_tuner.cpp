#include "schemes/interval_tuner.h"

#include <algorithm>
#include <cmath>

namespace bursar::schemes {

IntervalTuner::IntervalTuner(std::uint64_t min_interval_ns, std::uint64_t max_interval_ns)
    : min_ns_(min_interval_ns),
      max_ns_(std::max(min_interval_ns, max_interval_ns)),
      interval_ns_(std::clamp(kFirstIntervalNs, min_ns_, max_ns_)) {}

bool IntervalTuner::heed(double cost) {
  // What it costs is about as much for every sample.
  return cost > kHighestCost && set(static_cast<double>(interval_ns_) * cost / kHighestCost);
}

bool IntervalTuner::evaluate(double cost) {
  const bool tells = compared_ >= kFewestCompared;
  last_repeated_ = compared_ > 0 ? static_cast<double>(repeated_) / static_cast<double>(compared_) : 0;
  samples_ = compared_ = repeated_ = 0;
  if (cost > kHighestCost) return heed(cost);
  if (!tells) return false;
  const auto now = static_cast<double>(interval_ns_);
  int direction = 0;
  if (last_repeated_ < kFewRepeated) direction = -1;
  if (last_repeated_ > kManyRepeated) direction = 1;
  if (direction == 0) return false;
  if (direction_ != 0) factor_ = direction == direction_ ? kFactor : std::sqrt(factor_);
  if (factor_ < kLeastFactor) return false;
  double wanted = direction > 0 ? now * factor_ : now / factor_;
  if (direction < 0) wanted = std::max(wanted, now * cost / kNearHighestCost);
  if (direction < 0 && wanted >= now / kLeastFactor) return false;
  return set(wanted);
}

bool IntervalTuner::set(double interval_ns) {
  const double bounded = std::clamp(interval_ns, static_cast<double>(min_ns_), static_cast<double>(max_ns_));
  const auto next = static_cast<std::uint64_t>(bounded);
  if (next == interval_ns_) return false;
  direction_ = next > interval_ns_ ? 1 : -1;
  interval_ns_ = next;
  return true;
}

}  // namespace bursar::schemes
