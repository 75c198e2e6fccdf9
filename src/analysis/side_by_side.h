// Two profiles as one: the tree of both with two metrics, what was counted before and what after.
//
// Contexts are the same at the identity that both profiles share, as merge() has it. What each side's numbers are
// (exact, an estimate with its variance, samples) stays as it was. Threads, edges, paths and series are left out.
#pragma once

#include <string>

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::analysis {

inline constexpr const char* kBefore = "before";
inline constexpr const char* kAfter = "after";

struct SideBySide {
  profile::Profile both;
  std::size_t before = 0;  // indices into its metrics
  std::size_t after = 0;
  std::string metric;  // what both count
};

// Metric by name, empty for the default. Fails if a side does not have it, if the sides count different things, or if
// the profiles have no identity in common.
base::Result<SideBySide> side_by_side(const profile::Profile& before, const profile::Profile& after,
                                      const std::string& metric = "");

}  // namespace bursar::analysis
