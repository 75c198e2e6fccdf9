#include "analysis/branch_accuracy.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

std::optional<BranchAccuracy> measure(const HandProfile& truth, const HandProfile& estimate) {
  const profile::Profile a = truth.frozen();
  const profile::Profile b = estimate.frozen();
  return branch_accuracy(pair_profiles(a, b).value());
}

TEST(BranchAccuracy, weighs_the_error_of_each_bias_worked_by_hand) {
  // M:3 ran 100 times, taken .9, estimated .7: accuracy .8.  M:8 ran 300 times, taken .5, estimated .4: .9.
  // Relative: (100 · .8 + 300 · .9) / 400 = .875
  // Absolute: shares .025 .225 .375 .375 and .15 .35 .3 .2: .025 + .225 + .3 + .2 = .75
  HandProfile truth;
  truth.branch("M", 3, 0, 10).branch("M", 3, 1, 90).branch("M", 8, 0, 150).branch("M", 8, 1, 150);
  HandProfile estimate;
  estimate.branch("M", 3, 0, 3).branch("M", 3, 1, 7).branch("M", 8, 0, 6).branch("M", 8, 1, 4);
  EXPECT_NEAR(measure(truth, estimate)->relative_overlap, 87.5, 1e-9);
  EXPECT_NEAR(measure(truth, estimate)->absolute_overlap, 75, 1e-9);
}

TEST(BranchAccuracy, takes_half_the_summed_difference_for_a_switch) {
  // .5 .3 .2 against .2 .3 .5: ½ (.3 + 0 + .3) = .3
  HandProfile truth;
  truth.branch("M", 1, 0, 5).branch("M", 1, 1, 3).branch("M", 1, 2, 2);
  HandProfile estimate;
  estimate.branch("M", 1, 0, 2).branch("M", 1, 1, 3).branch("M", 1, 2, 5);
  EXPECT_NEAR(measure(truth, estimate)->relative_overlap, 70, 1e-9);
}

TEST(BranchAccuracy, counts_a_branch_never_sampled_as_undecided) {
  HandProfile estimate;
  estimate.branch("M", 99, 0, 1);
  HandProfile biased;  // .9 against .5
  biased.branch("M", 1, 0, 1).branch("M", 1, 1, 9);
  EXPECT_NEAR(measure(biased, estimate)->relative_overlap, 60, 1e-9);
  HandProfile one_way;  // the other outcome is not even in the profile: 1 against .5
  one_way.branch("M", 1, 1, 9);
  EXPECT_NEAR(measure(one_way, estimate)->relative_overlap, 50, 1e-9);
  HandProfile four_way;  // .4 .6 and two that never ran, against ¼ each: 1 − ½ (.15 + .25 + .35 + .25)
  four_way.branch("M", 1, 0, 4).branch("M", 1, 3, 6);
  EXPECT_NEAR(measure(four_way, estimate)->relative_overlap, 50, 1e-9);
}

TEST(BranchAccuracy, counts_a_branch_with_nothing_but_zeros_as_never_sampled) {
  HandProfile truth;
  truth.branch("M", 1, 0, 1).branch("M", 1, 1, 9);
  HandProfile estimate;
  estimate.branch("M", 1, 0, 0).branch("M", 1, 1, 0);
  EXPECT_NEAR(measure(truth, estimate)->relative_overlap, 60, 1e-9);
  EXPECT_EQ(measure(truth, estimate)->absolute_overlap, 0);
}

TEST(BranchAccuracy, gives_no_weight_to_branches_that_never_ran) {
  HandProfile truth;
  truth.branch("M", 1, 1, 4).branch("M", 5, 0, 0);
  HandProfile estimate;
  estimate.branch("M", 1, 1, 1).branch("M", 5, 1, 80).branch("N", 5, 1, 3);
  EXPECT_NEAR(measure(truth, estimate)->relative_overlap, 100, 1e-9);
}

TEST(BranchAccuracy, is_undefined_where_a_side_has_no_branches_or_none_ran) {
  HandProfile none;
  none.context("A", 1);
  HandProfile some;
  some.branch("M", 1, 0, 1);
  HandProfile idle;
  idle.branch("M", 1, 0, 0);
  EXPECT_FALSE(measure(none, some).has_value());
  EXPECT_FALSE(measure(some, none).has_value());
  EXPECT_FALSE(measure(idle, some).has_value());
}

TEST(BranchAccuracy, survives_the_largest_outcome) {
  HandProfile wide;
  wide.branch("M", 1, 0xFFFFFFFF, 5);
  EXPECT_NEAR(measure(wide, wide)->relative_overlap, 100, 1e-9);
}

}  // namespace
}  // namespace bursar::analysis
