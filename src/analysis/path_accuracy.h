// Path accuracy: Wall's weight matching over path profiles (paper 003, section 6.3).
//
//   flow of a path    = how often it ran × the branches along it
//   hot paths         = those with more than 0.125 % of the truth's total flow
//   estimated hot     = as many paths, those of highest flow in the estimate
//   accuracy          = true flow of the hot paths that were estimated hot / true flow of the hot paths
#pragma once

#include <optional>

#include "analysis/profile_pair.h"

namespace bursar::analysis {

struct PathAccuracy {
  double accuracy = 0;        // 0 to 100
  std::size_t hot_paths = 0;  // in the truth
  std::size_t found = 0;      // of those, estimated hot as well
};

// Nothing if a side has no paths, or no path of the truth is hot. A path the estimate never saw is never estimated hot;
// of paths with equal estimated flow the first in canonical order (method, then blocks) is taken.
std::optional<PathAccuracy> path_accuracy(const ProfilePair& pair);

}  // namespace bursar::analysis
