// What is kept of a profile once it has been compared with the truth: a few numbers, as JSON.
#pragma once

#include "base/result.h"
#include "evaluation/json.h"
#include "profile/profile.h"

namespace bursar::evaluation {

// Of call graph and context tree, as in Table 1 of paper 000: methods, graph_edges (pairs of caller and callee),
// contexts, calls. Of a profile of paths: paths that ran.
Json size_of(const profile::Profile& profile);

// overlap, hot_edge_coverage by threshold, call_graph_overlap, call_graph_overlap_without_trivial, nodes_truth,
// nodes_estimate, nodes_common, notes; intervals_held where the estimate states intervals; path_accuracy,
// edge_relative_overlap and edge_absolute_overlap where both have paths. What could not be measured is null.
base::Result<Json> accuracy_of(const profile::Profile& truth, const profile::Profile& estimate);

// What the run counted about itself, as far as it did: ticks, windows (of mode cbs), bursts_begun, bursts_disabled (not
// begun because the stack was known), disabled_share of both in percent, overhead (the profiler's own CPU time, in
// percent), path_samples, rewriting (CPU time of rewriting classes, in percent).
Json run_facts(const profile::Profile& profile);

}  // namespace bursar::evaluation
