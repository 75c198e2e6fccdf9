#include "analysis/comparison.h"

#include <algorithm>

#include "analysis/branch_accuracy.h"
#include "analysis/correlation.h"
#include "analysis/counter_node_overlap.h"
#include "analysis/joint_tree.h"
#include "analysis/overlap.h"
#include "analysis/path_accuracy.h"
#include "analysis/profile_pair.h"

namespace bursar::analysis {
namespace {

std::string only_one_keeps(bool truth_keeps) {
  return std::string("only the ") + (truth_keeps ? "truth" : "estimate") + " keeps them";
}

void note_identity(const ProfilePair& pair, std::vector<std::string>& notes) {
  const profile::Identity& truth = pair.truth.data().identity;
  const profile::Identity& estimate = pair.estimate.data().identity;
  if (truth.call_sites != estimate.call_sites) {
    notes.push_back("contexts are compared without call sites: " + only_one_keeps(truth.call_sites));
  }
  if (truth.descriptors != estimate.descriptors) {
    notes.push_back("methods are compared without descriptors: " + only_one_keeps(truth.descriptors));
  }
}

void note_metrics(const Comparison& comparison, std::vector<std::string>& notes) {
  const auto& truth = comparison.truth.metric;
  const auto& estimate = comparison.estimate.metric;
  if (truth && estimate && truth->name != estimate->name) {
    notes.push_back("the estimate's " + estimate->name + " are held against the truth's " + truth->name);
  }
}

// A profile that holds something else but no tree was not made to find contexts, and is not blamed for finding none.
bool keeps_contexts(const profile::ProfileData& data) {
  return data.contexts.size() > 0 || (data.edges.size() == 0 && data.paths.size() == 0 && data.branches.size() == 0);
}

bool keeps_calls(const profile::ProfileData& data) {
  return keeps_contexts(data) || data.edges.size() > 0;
}

ComparedSide describe(const ProfileSide& side, const TreeShare& share) {
  ComparedSide described;
  if (side.metric) described.metric = side.data().metrics[*side.metric];
  described.nodes = share.nodes;
  described.total = share.total;
  described.overflow_share = share.overflow_share;
  return described;
}

void measure_trees(const ProfilePair& pair, Comparison& result) {
  const JointTree tree = join_trees(pair);
  result.truth = describe(pair.truth, truth_share(tree));
  result.estimate = describe(pair.estimate, estimate_share(tree));
  for (std::size_t node = 0; node < tree.size(); ++node) {
    result.nodes_common += tree.in_truth(node) && tree.in_estimate(node);
  }
  if (result.truth.total <= 0) return;
  if (!keeps_contexts(pair.estimate.data())) {
    result.notes.push_back("contexts are not compared: the estimate keeps none");
    return;
  }
  result.overlap = overlap(tree.weight);
  result.hot_edge_coverage = hot_edge_coverage(tree);
  result.counter_node_overlap = counter_node_overlap(tree);
  result.intervals = interval_coverage(pair, tree);
}

bool knows_sizes(const profile::ProfileData& data) {
  return std::ranges::any_of(data.methods, [](const profile::Method& method) { return method.code_bytes != 0; });
}

void measure_calls(const ProfilePair& pair, std::uint32_t trivial_code_bytes, Comparison& result) {
  if (!keeps_calls(pair.estimate.data())) return;
  MethodPredicate is_trivial;
  if (knows_sizes(pair.truth.data()) || knows_sizes(pair.estimate.data())) {
    is_trivial = [trivial_code_bytes](const profile::Method& method) {
      return method.code_bytes != 0 && method.code_bytes <= trivial_code_bytes;
    };
  }
  result.call_graph = call_graph_overlap(pair, is_trivial);
  result.method_correlation = method_correlation(pair);
  if (result.call_graph && result.call_graph->sites_truth != result.call_graph->sites_estimate) {
    result.notes.push_back("call-graph edges are compared without call sites: " +
                           only_one_keeps(result.call_graph->sites_truth));
  }
}

void measure_paths(const ProfilePair& pair, Comparison& result) {
  if (const auto paths = path_accuracy(pair)) result.path_accuracy = paths->accuracy;
  if (const auto branches = branch_accuracy(pair)) {
    result.edge_relative_overlap = branches->relative_overlap;
    result.edge_absolute_overlap = branches->absolute_overlap;
  }
}

bool holds_anything(const Comparison& result) {
  return result.overlap || result.call_graph || result.path_accuracy || result.edge_relative_overlap;
}

}  // namespace

base::Result<Comparison> compare(const profile::Profile& truth, const profile::Profile& estimate,
                                 const CompareOptions& options) {
  const auto pair = pair_profiles(truth, estimate, options.truth_metric, options.estimate_metric);
  if (!pair) return pair.error();
  Comparison result;
  note_identity(*pair, result.notes);
  measure_trees(*pair, result);
  note_metrics(result, result.notes);
  measure_calls(*pair, options.trivial_code_bytes, result);
  measure_paths(*pair, result);
  if (!holds_anything(result)) {
    return base::Error{
        "nothing to compare: the truth holds no calls, and the two share no sort of path or branch counts"};
  }
  return result;
}

}  // namespace bursar::analysis
