#include "analysis/correlation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "hand_profile.h"
#include "paper_004_profiles.h"

namespace bursar::analysis {
namespace {

std::optional<double> measure(const profile::Profile& truth, const profile::Profile& estimate) {
  return method_correlation(pair_profiles(truth, estimate).value());
}

TEST(Correlation, is_pearsons_coefficient_worked_by_hand) {
  // x = 1 2 6 (mean 3): −2 −1 3, squares 14.  y = 2 6 4 (mean 4): −2 2 0, squares 8.
  // products 4 − 2 + 0 = 2.  2 / √(14 · 8) = 0.18898
  EXPECT_NEAR(correlation({{1, 2, 6}, {2, 6, 4}}).value(), 100 * 2 / std::sqrt(112.0), 1e-12);
}

TEST(Correlation, does_not_see_scale_or_offset) {
  EXPECT_NEAR(correlation({{1, 2, 6}, {17, 27, 67}}).value(), 100, 1e-12);
  EXPECT_NEAR(correlation({{1, 2, 6}, {9, 8, 4}}).value(), -100, 1e-12);
}

TEST(Correlation, is_undefined_where_nothing_varies) {
  EXPECT_FALSE(correlation({{}, {}}).has_value());
  EXPECT_FALSE(correlation({{5}, {7}}).has_value());
  EXPECT_FALSE(correlation({{5, 5, 5}, {1, 2, 3}}).has_value());
}

TEST(Correlation, of_method_totals_adds_up_all_contexts) {
  // B 1 + 2 and A 0 in both, though in other contexts; C is where they differ: (0, 3, 1) and (0, 3, 2).
  const profile::Profile truth = HandProfile().context("A;B", 1).context("B", 2).context("B;C", 1).frozen();
  const profile::Profile estimate = HandProfile().context("A;B", 2).context("A;C;B", 1).context("A;C", 2).frozen();
  // deviations −4/3 5/3 −1/3 and −5/3 4/3 1/3: products 39/9, squares 42/9 each.
  EXPECT_NEAR(measure(truth, estimate).value(), 100 * 39.0 / 42, 1e-9);
}

TEST(Correlation, counts_a_method_a_side_lacks_as_zero) {
  // Over A, B, C: (1, 2, 0) and (1, 0, 2): deviations 0 1 −1 and 0 −1 1.
  const profile::Profile truth = HandProfile().context("A", 1).context("B", 2).frozen();
  const profile::Profile estimate = HandProfile().context("A", 1).context("C", 2).frozen();
  EXPECT_NEAR(measure(truth, estimate).value(), -100, 1e-9);
}

TEST(Correlation, takes_the_overflow_for_no_method) {
  const profile::Profile plain = HandProfile().context("A", 1).context("B", 2).frozen();
  const profile::Profile cut = HandProfile().context("A", 1).context("B", 2).context("[overflow]", 99).frozen();
  EXPECT_NEAR(measure(plain, cut).value(), 100, 1e-9);
}

TEST(Correlation, of_the_methods_of_paper_004_figure_2_is_complete) {
  EXPECT_NEAR(measure(figure_2a(), figure_2b()).value(), 100, 1e-9);
}

TEST(Correlation, takes_method_totals_from_edges_where_there_is_no_tree) {
  const profile::Profile edges = HandProfile().edge("A", 1, "B", 3).edge("C", 2, "B", 1).edge("B", 1, "C", 2).frozen();
  const std::vector<double> expected = {0, 4, 2};  // A, B, C
  EXPECT_EQ(method_totals(edges, 0), expected);
}

}  // namespace
}  // namespace bursar::analysis
