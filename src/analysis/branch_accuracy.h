// Accuracy of edge profiles within methods: relative and absolute overlap of branch outcomes (paper 003, section 6.4).
//
// Relative overlap asks for the bias of each branch: 1 − |bias − estimated bias|, weighted by how often the branch ran
// in the truth. For a switch the difference of the distributions takes the place of the bias: 1 − ½ Σ |p − p̂|, which is
// the same number for two outcomes. A branch the estimate never saw counts as undecided: bias 0.5, and 1/k for each of
// k outcomes of a switch. Outcomes are numbered from 0, so k is the highest outcome either side saw plus one, at
// least 2.
//
// Absolute overlap is the overlap sum over (method, branch, outcome).
#pragma once

#include <optional>

#include "analysis/profile_pair.h"

namespace bursar::analysis {

struct BranchAccuracy {
  double relative_overlap = 0;  // 0 to 100
  double absolute_overlap = 0;  // 0 to 100
};

// Nothing if a side has no branches, or no branch of the truth ever ran.
std::optional<BranchAccuracy> branch_accuracy(const ProfilePair& pair);

}  // namespace bursar::analysis
