#include "evaluation/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bursar::evaluation {
namespace {

Config two_workloads() {
  Config config{.workloads = {}, .names = {"fop", "jack"}, .modes = {"exact", "sample"}, .peers = {"jfr"}};
  config.runs = 2;
  config.simulation = false;
  return config;
}

Config own_program() {
  Config config = two_workloads();
  config.names = {kProgram};
  config.program = {"/jdk/bin/java", "Main"};
  config.runs = 5;
  return config;
}

std::vector<std::string> round_of(const std::vector<Step>& steps, std::uint32_t round) {
  std::vector<std::string> names;
  for (const Step& step : steps) {
    if (step.run == round) names.push_back(step.profiler);
  }
  return names;
}

Json row(const Step& step, Json failure = nullptr, double seconds = 1) {
  return {{"workload", step.workload},
          {"profiler", step.profiler},
          {"run", step.run},
          {"failure", std::move(failure)},
          {"seconds", seconds}};
}

bool always(const std::string&) {
  return true;
}

TEST(Plan, begins_each_workload_with_two_exact_runs_and_then_takes_turns) {
  const std::vector<Step> steps = planned(two_workloads());
  const std::vector<Step> expected = {{"fop", "exact", 1},  {"fop", "exact", 2},   {"fop", "sample", 1},
                                      {"fop", "jfr", 1},    {"fop", "sample", 2},  {"fop", "jfr", 2},
                                      {"jack", "exact", 1}, {"jack", "exact", 2},  {"jack", "sample", 1},
                                      {"jack", "jfr", 1},   {"jack", "sample", 2}, {"jack", "jfr", 2}};
  EXPECT_EQ(steps, expected);
  EXPECT_TRUE(steps[0].is_truth());
  EXPECT_FALSE(steps[1].is_truth());
}

TEST(Plan, of_paths_begins_with_two_runs_of_mode_exact_paths) {
  Config config = two_workloads();
  config.names = {"fop"};
  config.paths = true;
  config.modes = {kExactPaths, "paths", "paths-1-1"};
  config.peers = {};
  config.runs = 1;
  const std::vector<Step> steps = planned(config);
  const std::vector<Step> expected = {
      {"fop", kExactPaths, 1}, {"fop", kExactPaths, 2}, {"fop", "paths", 1}, {"fop", "paths-1-1", 1}};
  EXPECT_EQ(steps, expected);
  EXPECT_TRUE(steps[0].is_truth());
  EXPECT_TRUE(config.truth_file("fop").ends_with("fop.exact-paths.1.bursar"));
}

TEST(Plan, advice_is_taken_from_profiles_that_are_recorded_first) {
  Config config = two_workloads();
  config.names = {"fop"};
  config.modes = {"advice-none", "advice-density-weak"};
  config.peers = {};
  const std::vector<Step> expected = {{"fop", "cbs-100-17-none", 1},
                                      {"fop", "cbs-100-17-density", 1},
                                      {"fop", "baseline", 1},
                                      {"fop", "advice-none", 1},
                                      {"fop", "advice-density-weak", 1}};
  EXPECT_EQ(planned(config), expected);
  EXPECT_TRUE(config.is_advice_source("cbs-100-17-none"));
  EXPECT_FALSE(config.is_advice_source("cbs-8-2-none"));
}

TEST(Plan, repeated_runs_are_all_there_is) {
  for (Config config : {two_workloads(), own_program()}) {
    config.names = {"fop"};
    config.repeat = 2;
    config.simulation = true;
    const std::vector<Step> expected = {{"fop", "exact", 1}, {"fop", "sample", 1}, {"fop", "jfr", 1},
                                        {"fop", "exact", 2}, {"fop", "sample", 2}, {"fop", "jfr", 2}};
    EXPECT_EQ(planned(config), expected);
  }
}

TEST(Plan, takes_three_estimates_at_most) {
  Config config = two_workloads();
  config.names = {"fop"};
  config.runs = 9;
  EXPECT_EQ(planned(config).size(), 2U + 3 * 2);
}

TEST(Plan, a_trace_ends_each_workload) {
  Config config = two_workloads();
  config.simulation = true;
  const std::vector<Step> steps = planned(config);
  EXPECT_EQ(steps.size(), planned(two_workloads()).size() + 2);
  EXPECT_EQ(steps.back(), (Step{"jack", kTrace, 1}));
  config.accuracy = false;
  EXPECT_EQ(planned(config), (std::vector<Step>{{"fop", kTrace, 1}, {"jack", kTrace, 1}}));
}

TEST(Plan, a_program_is_run_alone_and_under_every_profiler_in_each_round) {
  const std::vector<Step> steps = planned(own_program());
  ASSERT_EQ(steps.size(), 5U * 4);
  EXPECT_EQ(steps[0], (Step{kProgram, kBaseline, 1}));
  EXPECT_TRUE(steps[1].is_truth());
  bool shuffled = false;
  for (std::uint32_t round = 1; round <= 5; ++round) {
    std::vector<std::string> names = round_of(steps, round);
    shuffled = shuffled || names != round_of(steps, 2);
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{kBaseline, kExact, kJfr, "sample"}));
  }
  EXPECT_TRUE(shuffled) << "what always comes first is measured on another machine";
  EXPECT_EQ(planned(own_program()), steps);
}

TEST(Plan, a_program_has_two_exact_runs_for_accuracy_whatever_is_asked) {
  Config config = own_program();
  config.modes = {"sample"};
  config.runs = 1;
  const std::vector<Step> steps = planned(config);
  EXPECT_EQ(round_of(steps, 1).size(), 4U);
  EXPECT_TRUE(steps[1].is_truth());
  EXPECT_EQ(round_of(steps, 2), (std::vector<std::string>{kExact}));
  config.accuracy = false;
  EXPECT_EQ(planned(config).size(), 3U);
}

TEST(Plan, a_program_that_fails_by_itself_is_not_profiled) {
  const std::vector<Step> steps = planned(own_program());
  EXPECT_TRUE(remaining(steps, {row({kProgram, kBaseline, 1}, "exit status 1")}, 0, always).empty());
}

TEST(Plan, what_is_done_is_not_done_again) {
  const std::vector<Step> steps = planned(two_workloads());
  std::vector<Json> rows;
  for (std::size_t done = 0; done <= steps.size(); ++done) {
    const std::vector<Step> left = remaining(steps, rows, 0, always);
    ASSERT_EQ(left.size(), steps.size() - done);
    if (left.empty()) break;
    EXPECT_EQ(left.front(), steps[done]);
    rows.push_back(row(left.front()));
  }
}

TEST(Plan, a_truth_whose_profile_is_gone_is_made_again) {
  const std::vector<Step> steps = planned(two_workloads());
  std::vector<Json> rows;
  for (const Step& step : steps) rows.push_back(row(step));
  const auto left = remaining(steps, rows, 0, [](const std::string& workload) { return workload != "jack"; });
  EXPECT_EQ(left, (std::vector<Step>{{"jack", "exact", 1}}));
}

TEST(Plan, a_failed_profiler_is_left_out_of_its_workload_only) {
  const std::vector<Step> steps = planned(two_workloads());
  const std::vector<Json> rows = {row({"fop", "sample", 1}, "it crashed")};
  for (const Step& step : remaining(steps, rows, 0, always)) {
    EXPECT_FALSE(step.workload == "fop" && step.profiler == "sample");
  }
  EXPECT_EQ(remaining(steps, rows, 0, always).size(), steps.size() - 2);
}

TEST(Plan, without_a_truth_nothing_is_compared) {
  const std::vector<Step> steps = planned(two_workloads());
  const std::vector<Step> left = remaining(steps, {row({"fop", "exact", 1}, "wrong checksum")}, 0, always);
  ASSERT_EQ(left.size(), steps.size() / 2);
  EXPECT_EQ(left.front().workload, "jack");
}

TEST(Plan, forgiven_failures_are_tried_again_and_new_ones_not) {
  const std::vector<Step> steps = planned(two_workloads());
  std::vector<Json> rows = {row({"fop", "exact", 1}, "wrong checksum"), row({"jack", "jfr", 1}, "no sample")};
  EXPECT_EQ(remaining(steps, rows, 2, always).size(), steps.size());
  rows.push_back(row({"fop", "exact", 1}, "wrong checksum"));
  EXPECT_EQ(remaining(steps, rows, 2, always).size(), steps.size() / 2);
}

TEST(Plan, time_left_is_judged_by_the_same_cell_or_else_by_all) {
  EXPECT_EQ(seconds_left({{"fop", "exact", 1}}, {}), 0);
  const std::vector<Json> rows = {row({"fop", "exact", 1}, nullptr, 60), row({"fop", "sample", 1}, nullptr, 20)};
  EXPECT_DOUBLE_EQ(seconds_left({{"fop", "exact", 2}}, rows), 60);
  EXPECT_DOUBLE_EQ(seconds_left({{"fop", "exact", 2}, {"jack", "exact", 1}}, rows), 60 + 40);
}

}  // namespace
}  // namespace bursar::evaluation
