// ProfilePair: two profiles to be compared, the metric read on each side, and one numbering of methods for both.
//
// A method is its class, name and descriptor (without the descriptor, if one side does not keep them); its kind does
// not tell methods apart, because not every source knows it. The exception is the overflow: it has a number of its own
// on each side, so that nothing that involves it ever matches.
//
// Keeps pointers: both profiles must outlive the pair.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::analysis {

struct ProfileSide {
  const profile::Profile* profile = nullptr;
  std::optional<std::size_t> metric;         // nothing if the profile has no metric
  std::vector<std::uint32_t> method_number;  // by MethodId

  const profile::ProfileData& data() const { return profile->data(); }
};

struct ProfilePair {
  ProfileSide truth;
  ProfileSide estimate;
  profile::Identity identity;  // the coarser of the two
  std::uint32_t methods = 0;   // numbers given to methods
};

// Metrics by name; empty for the default of each side. Fails if a named metric is missing or the profiles have no
// identity in common.
base::Result<ProfilePair> pair_profiles(const profile::Profile& truth, const profile::Profile& estimate,
                                        const std::string& truth_metric = "", const std::string& estimate_metric = "");

}  // namespace bursar::analysis
