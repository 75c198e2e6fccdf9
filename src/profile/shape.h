// The shape of profile data: every column as long as its table, every id inside its table, every kind one we know.
//
// Data of the right shape can be walked without looking outside a vector; what order it is in is validate()'s question.
#pragma once

#include "profile/findings.h"
#include "profile/profile.h"

namespace bursar::profile {

void check_shape(const ProfileData& data, Findings& findings);

}  // namespace bursar::profile
