// Hot-edge coverage (paper 000, section 3.2): which part of the truth's hot edges is hot in the estimate as well.
//
// An edge is hot at T if it weighs at least T times the hottest edge of its own tree:
//   100 · |{e in both: w_est ≥ T·hottest_est and w_truth ≥ T·hottest_truth}| / |{e in truth: w_truth ≥
//   T·hottest_truth}|
// It counts edges, not weights. The overflow is no edge: it is neither hot nor the hottest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/joint_tree.h"

namespace bursar::analysis {

// Thresholds are whole percents, so that an edge of exactly T times the hottest is hot, free of rounding.
// Nothing if the truth has no weight: then it has no hot edge. An estimate without weight covers 0.
std::optional<double> hot_edge_coverage(const JointTree& tree, unsigned threshold_percent);

struct CoverageAt {
  unsigned threshold_percent;
  double coverage;  // 0 to 100
};

// At 5, 10 … 95 %; empty if the truth has no weight.
std::vector<CoverageAt> hot_edge_coverage(const JointTree& tree);

// The key of a threshold in JSON: 5 is "0.05", 90 is "0.90".
std::string threshold_key(unsigned threshold_percent);

}  // namespace bursar::analysis
