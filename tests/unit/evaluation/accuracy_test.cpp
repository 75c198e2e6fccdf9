#include "evaluation/accuracy.h"

#include <gtest/gtest.h>

#include "export/folded.h"
#include "profile/freeze.h"

namespace bursar::evaluation {
namespace {

profile::Profile calls(std::string_view folded) {
  return *exports::import_folded(folded, "calls");
}

TEST(Accuracy, sizes_are_those_of_the_graph_and_of_the_tree) {
  // Three methods, a called by both others; the pair b, a in two contexts is one edge.
  const Json size = size_of(calls("x.Main.b;x.Main.a 3\nx.Main.c;x.Main.a 1\nx.Main.c;x.Main.b;x.Main.a 5\n"));
  EXPECT_EQ(size["methods"], 3);
  EXPECT_EQ(size["graph_edges"], 3);
  EXPECT_EQ(size["contexts"], 6);
  EXPECT_EQ(size["calls"], 9);
}

TEST(Accuracy, an_empty_profile_has_no_size) {
  EXPECT_EQ(size_of(profile::Profile())["contexts"], 0);
}

TEST(Accuracy, is_what_compare_says) {
  const profile::Profile truth = calls("x.M.a 60\nx.M.b 40\n"), estimate = calls("x.M.a 80\nx.M.b 10\nx.M.c 10\n");
  const auto accuracy = accuracy_of(truth, estimate);
  ASSERT_TRUE(accuracy);
  EXPECT_DOUBLE_EQ((*accuracy)["overlap"].get<double>(), 70);
  EXPECT_DOUBLE_EQ((*accuracy)["hot_edge_coverage"]["0.10"].get<double>(), 100);
  EXPECT_DOUBLE_EQ((*accuracy)["hot_edge_coverage"]["0.50"].get<double>(), 50);
  EXPECT_EQ((*accuracy)["nodes_truth"], 2);
  EXPECT_EQ((*accuracy)["nodes_estimate"], 3);
  EXPECT_EQ((*accuracy)["nodes_common"], 2);
}

TEST(Accuracy, nothing_to_compare_with_is_an_error) {
  EXPECT_FALSE(accuracy_of(profile::Profile(), calls("x.M.a 1\n")));
}

TEST(Accuracy, figures_beyond_the_limit_of_contexts_say_that_they_do_not_count) {
  const auto accuracy = accuracy_of(calls("x.M.a 60\n[overflow] 40\n"), calls("x.M.a 60\n"));
  ASSERT_TRUE(accuracy);
  ASSERT_FALSE((*accuracy)["notes"].empty());
  EXPECT_NE((*accuracy)["notes"].back().get<std::string>().find("do not count"), std::string::npos);
}

TEST(Accuracy, facts_are_those_that_the_run_counted) {
  EXPECT_TRUE(run_facts(calls("x.M.a 1\n")).empty());
  profile::ProfileData data = calls("x.M.a 1\n").data();
  data.counters = {
      {"ticks", 120}, {"bursts_begun", 25}, {"bursts_disabled", 75}, {"profiler_cpu_ns", 2}, {"process_cpu_ns", 50}};
  const Json facts = run_facts(*profile::freeze(std::move(data)));
  EXPECT_EQ(facts["ticks"], 120);
  EXPECT_DOUBLE_EQ(facts["disabled_share"].get<double>(), 75);
  EXPECT_DOUBLE_EQ(facts["overhead"].get<double>(), 4);
}

}  // namespace
}  // namespace bursar::evaluation
