#include "analysis/hot_edge_coverage.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

JointTree join(const HandProfile& truth, const HandProfile& estimate) {
  // The joined tree keeps no reference to the profiles.
  const profile::Profile a = truth.frozen();
  const profile::Profile b = estimate.frozen();
  return join_trees(pair_profiles(a, b).value());
}

// Truth: A 100, B 95, C 50, D 10, E 4.  Estimate (hottest 20): A 20, B 10, C 12, D 1, F 20.
JointTree worked_example() {
  return join(HandProfile().context("A", 100).context("B", 95).context("C", 50).context("D", 10).context("E", 4),
              HandProfile().context("A", 20).context("B", 10).context("C", 12).context("D", 1).context("F", 20));
}

TEST(HotEdgeCoverage, counts_hot_edges_that_both_sides_have) {
  const JointTree tree = worked_example();
  // 0.95: truth ≥ 95: A B; estimate ≥ 19: A F. 1 of 2.
  EXPECT_DOUBLE_EQ(hot_edge_coverage(tree, 95).value(), 50);
  // 0.50: truth ≥ 50: A B C; estimate ≥ 10: A B C F. 3 of 3.
  EXPECT_DOUBLE_EQ(hot_edge_coverage(tree, 50).value(), 100);
  // 0.55: truth ≥ 55: A B; estimate ≥ 11: A C F. 1 of 2.
  EXPECT_DOUBLE_EQ(hot_edge_coverage(tree, 55).value(), 50);
  // 0.10: truth ≥ 10: A B C D; estimate ≥ 2: A B C F. 3 of 4.
  EXPECT_DOUBLE_EQ(hot_edge_coverage(tree, 10).value(), 75);
  // 0.05: truth ≥ 5: A B C D; estimate ≥ 1: all of them.
  EXPECT_DOUBLE_EQ(hot_edge_coverage(tree, 5).value(), 100);
  // 0: every edge of the truth; the estimate lacks E. 4 of 5.
  EXPECT_DOUBLE_EQ(hot_edge_coverage(tree, 0).value(), 80);
}

TEST(HotEdgeCoverage, has_nineteen_thresholds) {
  const std::vector<CoverageAt> all = hot_edge_coverage(worked_example());
  ASSERT_EQ(all.size(), 19u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(all[i].threshold_percent, 5 * (i + 1));
    EXPECT_EQ(all[i].coverage, hot_edge_coverage(worked_example(), all[i].threshold_percent));
  }
}

TEST(HotEdgeCoverage, calls_an_edge_at_exactly_the_threshold_hot) {
  // In floating point 0.55 · 100 is more than 55: the comparison must not be.
  for (unsigned percent = 5; percent < 100; percent += 5) {
    const HandProfile side = HandProfile().context("A", 100).context("B", percent);
    HandProfile without;
    without.context("A", 1);
    EXPECT_DOUBLE_EQ(hot_edge_coverage(join(side, without), percent).value(), 50) << percent;
  }
}

TEST(HotEdgeCoverage, takes_the_overflow_for_no_edge) {
  HandProfile side;
  side.context("A", 10).context("B", 10).context("[overflow]", 1000);
  EXPECT_DOUBLE_EQ(hot_edge_coverage(join(side, side), 50).value(), 100);
}

TEST(HotEdgeCoverage, of_a_truth_without_weight_is_undefined) {
  const JointTree tree = join(HandProfile().context("A", 0), HandProfile().context("A", 1));
  EXPECT_FALSE(hot_edge_coverage(tree, 50).has_value());
  EXPECT_TRUE(hot_edge_coverage(tree).empty());
}

TEST(HotEdgeCoverage, of_an_estimate_without_weight_is_zero) {
  const JointTree tree = join(HandProfile().context("A", 1), HandProfile().context("A", 0));
  EXPECT_EQ(hot_edge_coverage(tree, 50), 0);
}

TEST(HotEdgeCoverage, keys_thresholds_with_two_decimals) {
  EXPECT_EQ(threshold_key(5), "0.05");
  EXPECT_EQ(threshold_key(10), "0.10");
  EXPECT_EQ(threshold_key(95), "0.95");
  EXPECT_EQ(threshold_key(100), "1.00");
}

}  // namespace
}  // namespace bursar::analysis
