#include "analysis/counter_node_overlap.h"

#include <gtest/gtest.h>

#include "hand_profile.h"
#include "paper_004_profiles.h"

namespace bursar::analysis {
namespace {

double measure(const profile::Profile& truth, const profile::Profile& estimate) {
  return counter_node_overlap(join_trees(pair_profiles(truth, estimate).value()));
}

TEST(CounterNodeOverlap, of_the_situations_of_paper_004_figure_2_worked_by_hand) {
  // MethodProfile  A 4, E 4, B 11, C 11, D 8, F 3                        41 in both, 41 in common
  // Callee         A→B 4, E→B 4, B→C 11, C→D 8, C→F 3                    30 in both, 30 in common
  // CalleeRef      AB 4, ABC 4|6, ABCD 3|6, ABCF 1|0                     4 + 4 + 3 + 0
  //                EB 4, EBC 4|3, EBCD 3|0, EBCF 1|3                     4 + 3 + 0 + 1
  //                BC 3|2, BCD 2, BCF 1|0                                2 + 2 + 0
  //                                                                      30 in both, 23 in common
  EXPECT_NEAR(measure(figure_2a(), figure_2b()), 100 * (41.0 + 30 + 23) / 101, 1e-9);
}

TEST(CounterNodeOverlap, keeps_the_overflow_in_the_totals) {
  // A 1, A B 3, A overflow 1: methods 5, callees 4, references 4; in common 4 + 3 + 3.
  HandProfile side;
  side.context("A", 1).context("A;B", 3).context("A;[overflow]", 1);
  EXPECT_NEAR(measure(side.frozen(), side.frozen()), 100 * 10.0 / 13, 1e-9);
}

TEST(CounterNodeOverlap, has_no_callee_for_a_first_frame) {
  const profile::Profile roots = HandProfile().context("A", 3).context("B", 1).frozen();
  const profile::Profile other = HandProfile().context("A", 1).context("B", 3).frozen();
  EXPECT_DOUBLE_EQ(measure(roots, other), 50);
}

}  // namespace
}  // namespace bursar::analysis
