// Numbers that belong to the shape of a context tree. One pass each, whatever the depth of the tree.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace bursar::analysis {

// Adds to each context's own number those of all contexts below it: own numbers in, subtree totals out.
std::vector<double> subtree_totals(const profile::Contexts& contexts, std::vector<double> own);

// Frames from the thread's first frame to each context, both included.
std::vector<std::uint32_t> depths(const profile::Contexts& contexts);

}  // namespace bursar::analysis
