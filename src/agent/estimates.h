// Counts of what was seen become estimates of all that happened.
// Runs in: any thread that may allocate
#pragma once

#include "profile/profile.h"

namespace bursar::agent {

// Every call stands for `weight` calls. The variance is that of calls which were seen or not each by its own chance:
// calls of one burst were seen together, which makes the true one larger.
void make_estimates(profile::ProfileData& data, double weight);

}  // namespace bursar::agent
