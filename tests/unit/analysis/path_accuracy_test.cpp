#include "analysis/path_accuracy.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

std::optional<PathAccuracy> measure(const HandProfile& truth, const HandProfile& estimate) {
  const profile::Profile a = truth.frozen();
  const profile::Profile b = estimate.frozen();
  return path_accuracy(pair_profiles(a, b).value());
}

TEST(PathAccuracy, is_walls_weight_matching_worked_by_hand) {
  //            count × branches = flow     estimate: flow   rank
  //   M 0,1     500       2      1000            4 × 2 = 8   2
  //   M 0,2     200       3       600            1 × 3 = 3   4
  //   N 0       399       1       399            9 × 1 = 9   1
  //   N 7         1       1         1            5 × 1 = 5   3
  // Total flow 2000; hot is above 2.5: the first three. The estimate's three hottest are N 0, M 0,1 and N 7.
  // Found: 399 + 1000 of 1999.
  HandProfile truth;
  truth.path("M", {0, 1}, 2, 500).path("M", {0, 2}, 3, 200).path("N", {0}, 1, 399).path("N", {7}, 1, 1);
  HandProfile estimate;
  estimate.path("M", {0, 1}, 2, 4).path("M", {0, 2}, 3, 1).path("N", {0}, 1, 9).path("N", {7}, 1, 5);
  const PathAccuracy result = measure(truth, estimate).value();
  EXPECT_EQ(result.hot_paths, 3u);
  EXPECT_EQ(result.found, 2u);
  EXPECT_NEAR(result.accuracy, 100 * 1399.0 / 1999, 1e-9);
}

TEST(PathAccuracy, calls_only_paths_above_the_threshold_hot) {
  // 1 of 800 is exactly 0.125 %: not above. A second one at 2 of 801 is.
  HandProfile at;
  at.path("M", {0}, 1, 799).path("M", {1}, 1, 1);
  EXPECT_EQ(measure(at, at)->hot_paths, 1u);
  HandProfile above;
  above.path("M", {0}, 1, 799).path("M", {1}, 1, 2);
  EXPECT_EQ(measure(above, above)->hot_paths, 2u);
}

TEST(PathAccuracy, breaks_ties_by_canonical_order) {
  // One hot path in the truth; the estimate ranks two equally: the first in order is taken, right or wrong.
  HandProfile estimate;
  estimate.path("M", {3}, 1, 5).path("M", {1}, 1, 5);
  HandProfile first;
  first.path("M", {1}, 1, 10);
  HandProfile second;
  second.path("M", {3}, 1, 10);
  EXPECT_DOUBLE_EQ(measure(first, estimate)->accuracy, 100);
  EXPECT_DOUBLE_EQ(measure(second, estimate)->accuracy, 0);
}

TEST(PathAccuracy, never_takes_a_path_the_estimate_did_not_see) {
  HandProfile truth;
  truth.path("M", {1}, 1, 10).path("M", {2}, 1, 10);
  HandProfile estimate;
  estimate.path("M", {1}, 1, 0).path("M", {2}, 1, 3);
  EXPECT_DOUBLE_EQ(measure(truth, estimate)->accuracy, 50);
}

TEST(PathAccuracy, gives_paths_without_branches_no_flow) {
  HandProfile truth;
  truth.path("M", {0}, 0, 1'000'000).path("M", {0, 4}, 1, 1);
  EXPECT_EQ(measure(truth, truth)->hot_paths, 1u);
  EXPECT_DOUBLE_EQ(measure(truth, truth)->accuracy, 100);
}

TEST(PathAccuracy, is_undefined_without_paths_or_without_hot_ones) {
  HandProfile none;
  none.context("A", 1);
  HandProfile some;
  some.path("M", {0}, 1, 1);
  EXPECT_FALSE(measure(none, some).has_value());
  EXPECT_FALSE(measure(some, none).has_value());
  HandProfile flat;  // 800 paths with 0.125 % each
  for (std::uint32_t block = 0; block < 800; ++block) flat.path("M", {block}, 1, 1);
  EXPECT_FALSE(measure(flat, flat).has_value());
}

}  // namespace
}  // namespace bursar::analysis
