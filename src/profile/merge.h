// Adding profiles up, and bringing them to a common identity first.
#pragma once

#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::profile {

// The coarsest of both: what two profiles can be compared or merged at. Fails if only one has its recursion folded.
base::Result<Identity> common_identity(const Identity& a, const Identity& b);

// The same counts under a coarser identity: drops call sites or descriptors and adds up what then coincides.
base::Result<Profile> project(const Profile& profile, const Identity& identity);

// Exact, commutative and associative: merge(a, b) == merge(b, a), merge(merge(a, b), c) == merge(a, merge(b, c)).
base::Result<Profile> merge(const Profile& a, const Profile& b);
base::Result<Profile> merge(const std::vector<Profile>& profiles);

}  // namespace bursar::profile
