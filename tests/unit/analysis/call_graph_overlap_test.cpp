#include "analysis/call_graph_overlap.h"

#include <gtest/gtest.h>

#include "hand_profile.h"
#include "paper_004_profiles.h"

namespace bursar::analysis {
namespace {

CallGraphOverlap measure(const profile::Profile& truth, const profile::Profile& estimate,
                         const MethodPredicate& is_trivial = {}) {
  return call_graph_overlap(pair_profiles(truth, estimate).value(), is_trivial).value();
}

bool is_c(const profile::Method& method) {
  return method.name == "C";
}

TEST(CallGraphOverlap, of_two_runs_like_paper_000_figure_1_worked_by_hand) {
  //            truth  other  smaller
  //   A→B        1      1      1
  //   A→D        1      1      1
  //   B→C        2      1      1
  //   D→C        2      3      2
  //   C→E        2      2      2
  //   total      8      8      7
  const profile::Profile truth = HandProfile().calls("A(B(C(E)C(E))D(CC))").frozen();
  const profile::Profile other = HandProfile().calls("A(B(C(E))D(C(E)CC))").frozen();
  const CallGraphOverlap result = measure(truth, other);
  EXPECT_DOUBLE_EQ(result.all, 87.5);
  EXPECT_EQ(result.edges_truth, 5u);
  EXPECT_EQ(result.edges_estimate, 5u);
  EXPECT_EQ(result.edges_common, 5u);
  EXPECT_FALSE(result.without_trivial.has_value());
}

TEST(CallGraphOverlap, cannot_tell_the_situations_of_paper_004_figure_2) {
  EXPECT_DOUBLE_EQ(measure(figure_2a(), figure_2b()).all, 100);
}

TEST(CallGraphOverlap, takes_trivial_callees_out_of_both_populations) {
  // Without calls to C: A→B 1, A→D 1, C→E 2 on one side; A→B 1, A→D 3 on the other: 1/4 + 1/4.
  const profile::Profile truth = HandProfile().calls("A(B(C(E)C(E))D(CC))").frozen();
  const profile::Profile other = HandProfile().calls("A(B(C)DDD(CC))").frozen();
  const CallGraphOverlap result = measure(truth, other, is_c);
  EXPECT_DOUBLE_EQ(result.without_trivial.value(), 50);
  // With them: A→B 1, A→D 1, B→C 2, D→C 2, C→E 2 of 8 and A→B 1, A→D 3, B→C 1, D→C 2 of 7.
  EXPECT_NEAR(result.all, 100 * (1.0 / 8 + 1.0 / 8 + 1.0 / 7 + 2.0 / 8), 1e-12);
}

TEST(CallGraphOverlap, tells_call_sites_apart_where_both_sides_know_them) {
  const profile::Profile a = HandProfile().edge("A", 1, "B", 3).edge("A", 2, "B", 1).frozen();
  const profile::Profile b = HandProfile().edge("A", 1, "B", 1).edge("A", 2, "B", 3).frozen();
  EXPECT_DOUBLE_EQ(measure(a, b).all, 50);
  EXPECT_TRUE(measure(a, b).by_site());
}

TEST(CallGraphOverlap, leaves_out_call_sites_where_a_side_has_none) {
  const profile::Profile recorded =
      HandProfile().edge("A", 1, "B", 3).edge("A", 2, "B", 1).edge("A", 5, "C", 4).frozen();
  const profile::Profile tree = HandProfile().context("A;B", 5).context("A;C", 5).frozen();
  for (const CallGraphOverlap& result : {measure(recorded, tree), measure(tree, recorded)}) {
    EXPECT_DOUBLE_EQ(result.all, 100);
    EXPECT_FALSE(result.by_site());
    EXPECT_EQ(result.edges_common, 2u);
  }
  EXPECT_TRUE(measure(recorded, tree).sites_truth);
  EXPECT_FALSE(measure(recorded, tree).sites_estimate);
}

TEST(CallGraphOverlap, keeps_the_sites_of_edges_beside_a_tree_without_sites) {
  const profile::Profile with_sites = HandProfile({true, true, false}).context("A;B@1", 3).context("A;B@2", 1).frozen();
  const profile::Profile edges_only =
      HandProfile().context("A;B", 4).edge("A", 1, "B", 1).edge("A", 2, "B", 3).frozen();
  EXPECT_TRUE(measure(with_sites, edges_only).by_site());
  EXPECT_DOUBLE_EQ(measure(with_sites, edges_only).all, 50);
}

TEST(CallGraphOverlap, never_matches_an_edge_of_the_overflow) {
  HandProfile side;
  side.context("A", 1).context("A;B", 3).context("A;[overflow]", 1);
  EXPECT_DOUBLE_EQ(measure(side.frozen(), side.frozen()).all, 75);
}

TEST(CallGraphOverlap, of_a_truth_without_calls_is_undefined) {
  const profile::Profile roots = HandProfile().context("A", 5).frozen();
  const profile::Profile calls = HandProfile().context("A;B", 5).frozen();
  EXPECT_FALSE(call_graph_overlap(pair_profiles(roots, calls).value(), {}).has_value());
  EXPECT_EQ(measure(calls, roots).all, 0);
}

}  // namespace
}  // namespace bursar::analysis
