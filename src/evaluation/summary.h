// The evaluation: everything that was measured, as JSON, from which table and report are made.
//
//   settings, notes
//   workloads: name, failure, failed (the truth, or the program itself), size, ceiling (a second exact run against the
//   first), profilers: by name,
//     runs, failure, messages, overlap, overlap_range, hot_edge_coverage, call_graph_overlap,
//     call_graph_overlap_without_trivial, nodes_estimate, nodes_common, path_accuracy, edge_relative_overlap,
//     edge_absolute_overlap, path_samples, rewriting, ticks, windows, bursts_begun, bursts_disabled, disabled_share,
//     overhead: medians over the runs, as far as there are any
//     slowdown, first_iteration, whole_process, memory: ratio, low, high; slowdown_failure
//     code, inlined: machine code and inlined calls with advice, as a multiple of those without; forced: calls inlined
//     because a directive says so
//     repetition: of repeated runs, what repetition.h says; nothing else is measured then but ticks, bursts, overhead
//     sampling: of the first profiler that has it, what sampling_facts.h says
//     simulation: failure, messages, or what bursar simulate --json says of a trace for the schemes as they are unless
//     told otherwise, over time; and sweep: variants of the scheme adaptive
//   means: by profiler, arithmetic over workloads for accuracies, geometric for ratios; each with how many workloads;
//     repetition: the means of repetition.h, and workloads
//   simulation: clock, workloads, and means of variants and sweep
//
// The profiler `exact` has the ceiling as its accuracy.
#pragma once

#include <string>
#include <vector>

#include "evaluation/json.h"

namespace bursar::evaluation {

struct Measured {
  Json settings;
  std::vector<Json> rows;   // of planned runs
  Json slowdown = nullptr;  // as bench/slowdown summarises it, or null
};

Json summarise(const Measured& measured, const std::vector<std::string>& workloads,
               const std::vector<std::string>& profilers);

// Whether a run of what was asked for failed.
bool has_failure(const Json& evaluation);

// The middle one, or the mean of the middle two; values is not empty.
double median(std::vector<double> values);
double mean_of(const std::vector<double>& values);

}  // namespace bursar::evaluation
