#include "analysis/overlap.h"

#include <gtest/gtest.h>

#include "analysis/joint_tree.h"
#include "hand_profile.h"

namespace bursar::analysis {
namespace {

double tree_overlap(const profile::Profile& truth, const profile::Profile& estimate) {
  return overlap(join_trees(pair_profiles(truth, estimate).value()).weight);
}

TEST(Overlap, is_the_sum_of_the_smaller_shares) {
  // Shares .5 .3 .2 0 and .25 0 .5 .25: .25 + 0 + .2 + 0 = .45
  EXPECT_DOUBLE_EQ(overlap({{5, 3, 2, 0}, {1, 0, 2, 1}}), 45);
}

TEST(Overlap, of_a_side_without_weight_is_zero) {
  EXPECT_EQ(overlap({{1, 2}, {0, 0}}), 0);
  EXPECT_EQ(overlap({{0, 0}, {1, 2}}), 0);
  EXPECT_EQ(overlap({{}, {}}), 0);
}

TEST(Overlap, never_exceeds_a_hundred_by_rounding) {
  PairedWeights weights;
  for (int i = 1; i <= 100000; ++i) {
    weights.truth.push_back(1.0 / i);
    weights.estimate.push_back(3.0 / i);
  }
  EXPECT_LE(overlap(weights), 100);
  EXPECT_NEAR(overlap(weights), 100, 1e-9);
}

// Paper 000, Figure 1. The figure is lost; the text says: A calls B and D, both call C (twice each: both edges onto C
// weigh two in the call graph), and C calls E only when B called C. The number of calls of E, two, is ours.
const char* const kFigure1 = "A(B(C(E)C(E))D(CC))";

TEST(Overlap, merges_the_call_tree_of_figure_1_into_its_calling_context_tree) {
  const profile::Profile cct = HandProfile().calls(kFigure1).frozen();
  const profile::Profile by_hand = HandProfile()
                                       .context("A", 1)
                                       .context("A;B", 1)
                                       .context("A;B;C", 2)
                                       .context("A;B;C;E", 2)
                                       .context("A;D", 1)
                                       .context("A;D;C", 2)
                                       .frozen();
  EXPECT_EQ(cct, by_hand);
}

TEST(Overlap, of_two_runs_like_figure_1_worked_by_hand) {
  //             truth  other   smaller
  //   A           1      1       1
  //   A B         1      1       1
  //   A B C       2      1       1
  //   A B C E     2      1       1
  //   A D         1      1       1
  //   A D C       2      3       2
  //   A D C E     -      1       -
  //   total       9      9       7      7/9
  const profile::Profile truth = HandProfile().calls(kFigure1).frozen();
  const profile::Profile other = HandProfile().calls("A(B(C(E))D(C(E)CC))").frozen();
  EXPECT_NEAR(tree_overlap(truth, other), 100 * 7.0 / 9, 1e-12);
  EXPECT_NEAR(tree_overlap(other, truth), 100 * 7.0 / 9, 1e-12);
}

TEST(Overlap, sees_which_context_calls_where_the_call_graph_of_figure_1_does_not) {
  // E moves from B's C to D's C: in common are A 1, A B 1, A B C 2, A D 1, A D C 2 of 9.
  const profile::Profile truth = HandProfile().calls(kFigure1).frozen();
  const profile::Profile moved = HandProfile().calls("A(B(CC)D(C(E)C(E)))").frozen();
  EXPECT_NEAR(tree_overlap(truth, moved), 100 * 7.0 / 9, 1e-12);
}

TEST(Overlap, counts_the_first_frame_of_a_thread_as_an_edge) {
  // Two threads: X runs 3 times, Y once; the estimate has them 1 : 1. min(3/4, 1/2) + min(1/4, 1/2) = 3/4.
  const profile::Profile truth = HandProfile().context("X", 3).context("Y", 1).frozen();
  const profile::Profile estimate = HandProfile().context("X", 5).context("Y", 5).frozen();
  EXPECT_DOUBLE_EQ(tree_overlap(truth, estimate), 75);
}

TEST(Overlap, of_recursion_tells_every_depth_apart) {
  // Truth: A 1, A A 1, A A A 1 of 3. Estimate: A 1, A A 2 of 3. In common 1/3 + 1/3.
  const profile::Profile truth = HandProfile().calls("A(A(A))").frozen();
  const profile::Profile estimate = HandProfile().calls("A(AA)").frozen();
  EXPECT_NEAR(tree_overlap(truth, estimate), 100 * 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace bursar::analysis
