// Repeated runs: do profiles of the same program agree? Table 1 of paper 004: every run against every other, the
// correlation of method totals and the overlap of the Call Context Maps' counters; beside them what sampling noise
// alone predicts of both. The paper's totals are of activations that samples newly found; those of samples, each of
// which counts where it ended, are fewer and vary more.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "evaluation/json.h"
#include "profile/profile.h"

namespace bursar::evaluation {

// correlation (null if there is none), overlap; if both are profiles of samples noise_correlation and noise_overlap,
// and if both have activations activation_correlation.
base::Result<Json> agreement_of(const profile::Profile& one, const profile::Profile& other, std::uint64_t seed);

// Of the rows of one profiler on one workload: runs, pairs, total (median, of samples or calls), and the means over all
// pairs of correlation, overlap (each with its range) and what else agreement_of has. Null unless two were compared.
inline constexpr std::array kRepetitionMeans = {"correlation", "noise_correlation", "activation_correlation", "overlap",
                                                "noise_overlap"};
Json repetition_of(const std::vector<Json>& rows);

}  // namespace bursar::evaluation
