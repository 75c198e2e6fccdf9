// The evaluation: everything that was measured, as JSON, from which table and report are made.
//
//   settings, notes
//   workloads: name, failure (of the truth), size, ceiling (a second exact run against the first), profilers: by name,
//     runs, failure, messages, overlap, overlap_range, hot_edge_coverage, call_graph_overlap, nodes_estimate,
//     nodes_common, ticks, bursts, bursts_disabled, disabled_share, overhead: medians over the runs, as far as there
//     are any slowdown, first_iteration, whole_process, memory: ratio, low, high;  slowdown_failure
//   means: by profiler, arithmetic over workloads for accuracies, geometric for ratios; each with how many workloads
//
// The profiler `exact` has the ceiling as its accuracy.
#pragma once

#include <string>
#include <vector>

#include "evaluation/json.h"

namespace bursar::evaluation {

struct Measured {
  Json settings;
  std::vector<Json> rows;   // of accuracy runs
  Json slowdown = nullptr;  // as bench/slowdown summarises it, or null
};

Json summarise(const Measured& measured, const std::vector<std::string>& workloads,
               const std::vector<std::string>& profilers);

// Whether a run of what was asked for failed.
bool has_failure(const Json& evaluation);

// The middle one, or the mean of the middle two; values is not empty.
double median(std::vector<double> values);

}  // namespace bursar::evaluation
