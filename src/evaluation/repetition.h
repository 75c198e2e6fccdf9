// Repeated runs: do profiles of the same program agree? Table 1 of paper 004: every run against every other, the
// correlation of method totals and the overlap of the Call Context Maps' counters; beside it the overlap that sampling
// noise alone predicts.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "evaluation/json.h"
#include "profile/profile.h"

namespace bursar::evaluation {

// correlation (null if there is none), overlap, and noise_overlap if both are profiles of samples.
base::Result<Json> agreement_of(const profile::Profile& one, const profile::Profile& other, std::uint64_t seed);

// Of the rows of one profiler on one workload: runs, pairs, total (median, of samples or calls), and the means over all
// pairs of correlation, overlap (with overlap_range) and noise_overlap. Null unless two runs were compared.
Json repetition_of(const std::vector<Json>& rows);

}  // namespace bursar::evaluation
