// The ratio of two measures, run by run, and its 95 % interval: as bench/measure/interval.py has it for workloads.
//
// An expanded percentile bootstrap of the median over rounds (T. Hesterberg, "What Teachers Should Know About the
// Bootstrap", 2015). Ratios are handled as logarithms, so that "twice" and "half" weigh the same.
#pragma once

#include <cstddef>
#include <vector>

#include "evaluation/json.h"

namespace bursar::evaluation {

// With fewer no resampling comes near 95 %.
inline constexpr std::size_t kLeastRounds = 5;

// ratio, low, high: the median of variant / baseline; low and high are null in fewer than kLeastRounds rounds. Null if
// there is no round, or a value is not above zero. The same values give the same interval.
Json paired_ratio(const std::vector<double>& baseline, const std::vector<double>& variant);

}  // namespace bursar::evaluation
