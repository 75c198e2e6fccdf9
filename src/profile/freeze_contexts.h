// The canonical order of a context tree.
#pragma once

#include "profile/grouping.h"
#include "profile/profile.h"

namespace bursar::profile {

// Groups the contexts that have the same chain of (method, site) from the root and numbers the groups in pre-order,
// siblings by (method, site). Contexts on a cycle, or below one, keep the group kNone. Takes contexts of the right
// shape; needs no stack in proportion to their depth.
Grouping group_contexts(const Contexts& contexts);

}  // namespace bursar::profile
