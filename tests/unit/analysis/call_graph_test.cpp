#include "analysis/call_graph.h"

#include <gtest/gtest.h>

#include "hand_profile.h"
#include "paper_004_profiles.h"

namespace bursar::analysis {
namespace {

std::map<std::string, double> totals(const profile::Profile& profile) {
  std::map<std::string, double> totals;
  for (const CallEdge& edge : call_graph(profile, 0).edges) {
    const std::string name = profile->methods[edge.caller].name + ">" + profile->methods[edge.callee].name;
    totals[edge.site == profile::kNoSite ? name : name + "@" + std::to_string(edge.site)] += edge.weight;
  }
  return totals;
}

using Totals = std::map<std::string, double>;

TEST(CallGraph, has_the_weights_of_paper_000_figure_1) {
  const profile::Profile profile = HandProfile().calls("A(B(C(E)C(E))D(CC))").frozen();
  EXPECT_EQ(totals(profile), (Totals{{"A>B", 1}, {"A>D", 1}, {"B>C", 2}, {"D>C", 2}, {"C>E", 2}}));
}

TEST(CallGraph, adds_up_a_call_over_all_trees_of_paper_004_figure_1) {
  EXPECT_EQ(totals(figure_1()), (Totals{{"A>B", 2}, {"B>C", 4}, {"C>D", 1}}));
}

TEST(CallGraph, has_one_total_for_both_situations_of_paper_004_figure_2) {
  const Totals expected{{"A>B", 4}, {"E>B", 4}, {"B>C", 11}, {"C>D", 8}, {"C>F", 3}};
  EXPECT_EQ(totals(figure_2a()), expected);
  EXPECT_EQ(totals(figure_2b()), expected);
}

TEST(CallGraph, prefers_the_edges_the_run_recorded) {
  const profile::Profile profile = HandProfile().calls("A(B)").edge("A", 7, "B", 30).edge("A", 9, "B", 12).frozen();
  EXPECT_EQ(totals(profile), (Totals{{"A>B@7", 30}, {"A>B@9", 12}}));
  EXPECT_FALSE(call_graph(profile, 0).derived);
  EXPECT_TRUE(call_graph(profile, 0).sites);
}

TEST(CallGraph, derives_edges_where_the_recorded_ones_lack_this_metric) {
  const profile::Profile profile = HandProfile().calls("A(BB)").edge("A", 7, "B", 0).frozen();
  EXPECT_EQ(totals(profile), (Totals{{"A>B", 2}}));
  EXPECT_TRUE(call_graph(profile, 0).derived);
  EXPECT_FALSE(call_graph(profile, 0).sites);
}

TEST(CallGraph, derives_call_sites_from_contexts_that_have_them) {
  const profile::Profile profile =
      HandProfile({true, true, false}).context("A;B@4", 2).context("A;C@8;A@1;B@4", 3).frozen();
  EXPECT_EQ(totals(profile), (Totals{{"A>B@4", 5}, {"A>C@8", 0}, {"C>A@1", 0}}));
  EXPECT_TRUE(call_graph(profile, 0).sites);
}

}  // namespace
}  // namespace bursar::analysis
