// Interval coverage: do the estimate's 95 % intervals hold the true numbers as often as they promise?
//
// An estimate states calls, not shares, so the interval of a context is its estimate ± 1.96 standard deviations, and it
// holds if the true number lies inside. Looked at are the hottest contexts of the truth. Of one that the estimate does
// not know it says at most how often it was called (profile::kUnseenAtMost), or nothing, and then that does not hold.
#pragma once

#include <optional>

#include "analysis/joint_tree.h"

namespace bursar::analysis {

struct IntervalCoverage {
  std::size_t contexts = 0;  // looked at: at most 1,000
  std::size_t held = 0;
  std::size_t missing = 0;  // those that the estimate does not know, held or not
  double percent = 0;       // held of contexts
};

// Nothing unless the truth is exact and the estimate an estimate of the same metric.
std::optional<IntervalCoverage> interval_coverage(const ProfilePair& pair, const JointTree& tree);

}  // namespace bursar::analysis
