// compare(): every measure of how accurate one profile is, held against another taken as the truth.
//
// Both sides are brought to the coarser identity of the two; `notes` says in words what was left out.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/call_graph_overlap.h"
#include "analysis/hot_edge_coverage.h"
#include "analysis/interval_coverage.h"
#include "base/result.h"
#include "profile/profile.h"

namespace bursar::analysis {

// Accuracy figures count only if less than this percentage of the calls of either side lies in the overflow.
inline constexpr double kOverflowLimit = 0.1;

struct ComparedSide {
  std::optional<profile::Metric> metric;  // what was compared; nothing if the profile has no metric
  std::size_t nodes = 0;                  // contexts at the common identity
  double total = 0;                       // of the metric over all contexts
  double overflow_share = 0;              // of the total, 0 to 100
};

// Accuracies are 0 to 100. A measure is missing where there is nothing to measure: the truth has no weight of that
// sort, or one side has no paths or branches.
struct Comparison {
  ComparedSide truth;
  ComparedSide estimate;
  std::vector<std::string> notes;  // one sentence each, for the user

  std::size_t nodes_common = 0;
  std::optional<double> overlap;
  std::vector<CoverageAt> hot_edge_coverage;
  std::optional<CallGraphOverlap> call_graph;
  std::optional<double> counter_node_overlap;
  std::optional<double> method_correlation;  // -100 to 100
  std::optional<double> path_accuracy;
  std::optional<double> edge_relative_overlap;
  std::optional<double> edge_absolute_overlap;
  std::optional<IntervalCoverage> intervals;

  bool overflow_is_small() const {
    return truth.overflow_share < kOverflowLimit && estimate.overflow_share < kOverflowLimit;
  }
};

struct CompareOptions {
  std::string truth_metric;  // empty: calls if there, else samples, else the first
  std::string estimate_metric;
  std::uint32_t trivial_code_bytes = 11;  // a callee of at most that much bytecode is trivial (paper 001's threshold)
};

// Fails if the profiles have no identity in common, a named metric is missing, or the truth holds nothing to measure
// against.
base::Result<Comparison> compare(const profile::Profile& truth, const profile::Profile& estimate,
                                 const CompareOptions& options = {});

}  // namespace bursar::analysis
