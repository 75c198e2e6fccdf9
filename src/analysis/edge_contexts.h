// A profile that has call edges but no contexts (mode cbs), with contexts to look at: each edge is a stack of two.
//
// For pictures and other tools, which know of stacks only. The caller weighs nothing of its own. Not for comparing: a
// context is a chain from a thread's first frame, and these are none.
#pragma once

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::analysis {

bool has_only_edges(const profile::Profile& profile);
base::Result<profile::Profile> contexts_of_edges(const profile::Profile& profile);

}  // namespace bursar::analysis
