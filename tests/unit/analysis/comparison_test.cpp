#include "analysis/comparison.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

const profile::Metric kSampled{profile::kSamples, "", profile::MetricKind::kSamples, 0};

Comparison measure(const HandProfile& truth, const HandProfile& estimate, const CompareOptions& options = {}) {
  return compare(truth.frozen(), estimate.frozen(), options).value();
}

bool mentions(const Comparison& comparison, const std::string& words) {
  for (const std::string& note : comparison.notes) {
    if (note.find(words) != std::string::npos) return true;
  }
  return false;
}

TEST(Comparison, takes_a_callee_as_trivial_if_either_side_knows_that_it_is_small) {
  // Without calls to C: A→B 1, A→D 1, C→E 2 on one side; A→B 1, A→D 3 on the other: 1/4 + 1/4.
  HandProfile truth;
  truth.calls("A(B(C(E)C(E))D(CC))").size("C", 11).size("E", 12);
  HandProfile estimate;
  estimate.calls("A(B(C)DDD(CC))");
  EXPECT_DOUBLE_EQ(measure(truth, estimate).call_graph->without_trivial.value(), 50);
  CompareOptions stricter;
  stricter.trivial_code_bytes = 10;
  EXPECT_DOUBLE_EQ(measure(truth, estimate, stricter).call_graph->without_trivial.value(),
                   measure(truth, estimate).call_graph->all);
  EXPECT_FALSE(measure(estimate, estimate).call_graph->without_trivial.has_value()) << "nobody knows a size";
}

TEST(Comparison, gives_every_measure_that_both_sides_allow) {
  HandProfile side;
  side.calls("A(B(C(E)C(E))D(CC))").path("A", {0, 5}, 1, 10).branch("A", 3, 0, 4).branch("A", 3, 1, 6);
  side.size("E", 400);
  const Comparison result = measure(side, side);
  EXPECT_NEAR(result.overlap.value(), 100, 1e-9);
  ASSERT_EQ(result.hot_edge_coverage.size(), 19u);
  for (const CoverageAt& at : result.hot_edge_coverage) EXPECT_EQ(at.coverage, 100);
  EXPECT_NEAR(result.call_graph->all, 100, 1e-9);
  EXPECT_NEAR(result.call_graph->without_trivial.value(), 100, 1e-9);
  EXPECT_NEAR(result.counter_node_overlap.value(), 100, 1e-9);
  EXPECT_NEAR(result.method_correlation.value(), 100, 1e-9);
  EXPECT_NEAR(result.path_accuracy.value(), 100, 1e-9);
  EXPECT_NEAR(result.edge_relative_overlap.value(), 100, 1e-9);
  EXPECT_NEAR(result.edge_absolute_overlap.value(), 100, 1e-9);
  EXPECT_FALSE(result.intervals.has_value());
  EXPECT_EQ(result.truth.nodes, 6u);
  EXPECT_EQ(result.estimate.nodes, 6u);
  EXPECT_EQ(result.nodes_common, 6u);
  EXPECT_EQ(result.truth.total, 9);
  EXPECT_TRUE(result.notes.empty());
  EXPECT_TRUE(result.overflow_is_small());
}

TEST(Comparison, counts_nodes_at_the_common_identity_and_says_what_was_left_out) {
  HandProfile fine({true, true, false});
  fine.context("A;B(I)V@1", 1).context("A;B(I)V@2", 1).context("A;B(J)V@2", 1);
  HandProfile coarse({false, false, false});
  coarse.context("A;B", 7);
  const Comparison result = measure(fine, coarse);
  EXPECT_EQ(result.truth.nodes, 2u);
  EXPECT_EQ(result.nodes_common, 2u);
  EXPECT_EQ(result.overlap, 100);
  EXPECT_TRUE(mentions(result, "contexts are compared without call sites: only the truth keeps them"));
  EXPECT_TRUE(mentions(result, "methods are compared without descriptors: only the truth keeps them"));
  EXPECT_TRUE(mentions(result, "call-graph edges are compared without call sites: only the truth"));
  EXPECT_TRUE(mentions(measure(coarse, fine), "contexts are compared without call sites: only the estimate"));
}

TEST(Comparison, holds_samples_against_calls_and_says_so) {
  HandProfile calls;
  calls.context("A", 300).context("A;B", 100);
  HandProfile samples({}, kSampled);
  samples.context("A", 1).context("A;B", 1);
  const Comparison result = measure(calls, samples);
  EXPECT_EQ(result.overlap, 75);
  EXPECT_EQ(result.truth.metric->name, profile::kCalls);
  EXPECT_EQ(result.estimate.metric->name, profile::kSamples);
  EXPECT_TRUE(mentions(result, "the estimate's samples are held against the truth's calls"));
}

TEST(Comparison, takes_metrics_by_name) {
  HandProfile profile;
  profile.context("A", 3);
  EXPECT_TRUE(compare(profile.frozen(), profile.frozen(), {profile::kCalls, profile::kCalls, {}}).ok());
  const auto refused = compare(profile.frozen(), profile.frozen(), {"", "bytecodes", {}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message, "estimate: the profile has no metric 'bytecodes'; it has calls");
}

TEST(Comparison, warns_where_too_much_lies_in_the_overflow) {
  HandProfile clean;
  clean.context("A", 1000);
  HandProfile at_limit;
  at_limit.context("A", 999).context("[overflow]", 1);
  HandProfile below_limit;
  below_limit.context("A", 1000).context("[overflow]", 1);
  EXPECT_FALSE(measure(clean, at_limit).overflow_is_small());
  EXPECT_FALSE(measure(at_limit, clean).overflow_is_small());
  EXPECT_TRUE(measure(clean, below_limit).overflow_is_small());
  EXPECT_NEAR(measure(clean, at_limit).estimate.overflow_share, 0.1, 1e-9);
}

TEST(Comparison, gives_an_empty_estimate_zero) {
  HandProfile truth;
  truth.context("A;B", 3);
  const Comparison result = measure(truth, HandProfile());
  EXPECT_EQ(result.overlap, 0);
  EXPECT_EQ(result.call_graph->all, 0);
  EXPECT_EQ(result.nodes_common, 0u);
}

TEST(Comparison, does_not_blame_a_profile_for_what_it_was_not_made_to_find) {
  HandProfile truth;
  truth.context("A;B", 3).path("A", {0}, 1, 3);
  HandProfile edges;
  edges.edge("A", 1, "B", 8);
  EXPECT_FALSE(measure(truth, edges).overlap.has_value());
  EXPECT_EQ(measure(truth, edges).call_graph->all, 100);
  EXPECT_TRUE(mentions(measure(truth, edges), "contexts are not compared"));
  HandProfile paths;
  paths.path("A", {0}, 1, 1);
  EXPECT_FALSE(measure(truth, paths).call_graph.has_value());
  EXPECT_EQ(measure(truth, paths).path_accuracy, 100);
}

TEST(Comparison, refuses_a_truth_that_holds_nothing) {
  HandProfile some;
  some.context("A", 3);
  EXPECT_FALSE(compare(profile::Profile(), some.frozen()).ok());
  EXPECT_FALSE(compare(profile::Profile(), profile::Profile()).ok());
}

}  // namespace
}  // namespace bursar::analysis
