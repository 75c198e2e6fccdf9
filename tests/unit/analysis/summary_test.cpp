#include "analysis/summary.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

TEST(Summary, names_the_hottest_of_each_sort) {
  const profile::Profile profile = HandProfile()
                                       .context("A", 1)
                                       .context("A;B", 5)
                                       .context("A;B;C", 20)
                                       .context("A;C", 7)
                                       .context("A;C;B", 2)
                                       .frozen();
  const Summary summary = summarize(profile, 2).value();
  EXPECT_EQ(summary.total.value, 35);
  EXPECT_EQ(summary.total.deviation, 0);
  EXPECT_EQ(summary.contexts, 5u);
  EXPECT_EQ(summary.methods, 3u);
  EXPECT_EQ(summary.max_depth, 3u);
  EXPECT_EQ(summary.metric->name, profile::kCalls);

  ASSERT_EQ(summary.hottest_methods.size(), 2u);
  EXPECT_EQ(profile->methods[summary.hottest_methods[0].method].name, "C");
  EXPECT_EQ(summary.hottest_methods[0].own.value, 27);
  EXPECT_EQ(profile->methods[summary.hottest_methods[1].method].name, "B");
  EXPECT_EQ(summary.hottest_methods[1].own.value, 7);

  ASSERT_EQ(summary.hottest_contexts.size(), 2u);
  EXPECT_EQ(summary.hottest_contexts[0].own.value, 20);
  EXPECT_EQ(summary.hottest_contexts[0].subtree.value, 20);
  EXPECT_EQ(summary.hottest_contexts[1].own.value, 7);
  EXPECT_EQ(summary.hottest_contexts[1].subtree.value, 9);

  ASSERT_EQ(summary.hottest_edges.size(), 2u);
  EXPECT_EQ(profile->methods[summary.hottest_edges[0].caller].name, "B");
  EXPECT_EQ(profile->methods[summary.hottest_edges[0].callee].name, "C");
  EXPECT_EQ(summary.hottest_edges[0].total.value, 20);
  EXPECT_EQ(summary.hottest_edges[1].total.value, 7);
}

TEST(Summary, adds_up_variances_not_deviations) {
  const profile::Metric estimate{profile::kCalls, "", profile::MetricKind::kEstimate, 1};
  const profile::Profile profile =
      HandProfile({}, estimate).context("A", 20, 36).context("A;A", 10, 64).frozen();  // in halves and in quarters
  const Summary summary = summarize(profile, 10).value();
  EXPECT_EQ(summary.total.value, 15);
  EXPECT_EQ(summary.total.deviation, 5);  // √(9 + 16)
  EXPECT_EQ(summary.hottest_methods.at(0).own.deviation, 5);
  EXPECT_EQ(summary.hottest_contexts.at(0).own.deviation, 3);
  EXPECT_EQ(summary.hottest_contexts.at(0).subtree.deviation, 5);
  EXPECT_EQ(summary.hottest_edges.at(0).total.deviation, 4);
}

TEST(Summary, says_what_lies_in_the_overflow_and_does_not_rank_it) {
  const profile::Profile profile =
      HandProfile().context("A", 1).context("[overflow]", 50).context("[overflow];A", 2).frozen();
  const Summary summary = summarize(profile, 10).value();
  EXPECT_EQ(summary.total.value, 53);
  EXPECT_EQ(summary.overflow.value, 52);
  ASSERT_EQ(summary.hottest_methods.size(), 1u);
  EXPECT_EQ(summary.hottest_methods[0].own.value, 3);
  EXPECT_EQ(summary.hottest_contexts.size(), 1u);
  EXPECT_TRUE(summary.hottest_edges.empty());
}

TEST(Summary, takes_totals_from_edges_where_there_is_no_tree) {
  const profile::Profile profile = HandProfile().edge("A", 1, "B", 3).edge("C", 2, "B", 4).frozen();
  const Summary summary = summarize(profile, 1).value();
  EXPECT_EQ(summary.total.value, 7);
  EXPECT_EQ(summary.max_depth, 0u);
  EXPECT_EQ(profile->methods[summary.hottest_methods.at(0).method].name, "B");
  EXPECT_EQ(summary.hottest_methods.at(0).own.value, 7);
  EXPECT_EQ(summary.hottest_edges.at(0).site, 2u);
}

TEST(Summary, ranks_equals_in_canonical_order) {
  const profile::Profile profile = HandProfile().context("B", 4).context("A", 4).context("C", 4).frozen();
  const Summary summary = summarize(profile, 2).value();
  EXPECT_EQ(profile->methods[summary.hottest_methods.at(0).method].name, "A");
  EXPECT_EQ(profile->methods[summary.hottest_methods.at(1).method].name, "B");
  EXPECT_EQ(summary.hottest_contexts.at(0).context, 0u);
}

TEST(Summary, of_an_empty_profile_is_empty) {
  const Summary summary = summarize(profile::Profile(), 5).value();
  EXPECT_FALSE(summary.metric.has_value());
  EXPECT_EQ(summary.total.value, 0);
  EXPECT_EQ(summary.contexts, 0u);
}

TEST(Summary, counts_threads_as_the_run_did) {
  profile::ProfileData data;
  data.threads.push_back({"main", {}, {}});
  EXPECT_EQ(summarize(profile::freeze(data).value(), 1)->threads, 1u);
  data.counters["threads"] = 12;
  EXPECT_EQ(summarize(profile::freeze(data).value(), 1)->threads, 12u);
}

TEST(Summary, refuses_a_metric_the_profile_does_not_have) {
  EXPECT_FALSE(summarize(HandProfile().context("A", 1).frozen(), 5, "bytecodes").ok());
}

}  // namespace
}  // namespace bursar::analysis
