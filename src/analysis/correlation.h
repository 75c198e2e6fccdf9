// Correlation over method totals (paper 004, section 5): do two profiles agree on which methods run most?
#pragma once

#include <optional>
#include <vector>

#include "analysis/paired_weights.h"
#include "analysis/profile_pair.h"

namespace bursar::analysis {

// Each method's total over all contexts, by MethodId; as a callee of any caller if the tree has no weight.
std::vector<double> method_totals(const profile::Profile& profile, std::size_t metric);

// Pearson's coefficient as the paper prints it, in percent: -100 to 100. Nothing if either side does not vary.
std::optional<double> correlation(const PairedWeights& weights);

// Over all methods either side knows; a method a side lacks counts as 0 there. The overflow is no method.
std::optional<double> method_correlation(const ProfilePair& pair);

}  // namespace bursar::analysis
