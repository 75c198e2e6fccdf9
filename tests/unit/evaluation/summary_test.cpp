#include "evaluation/summary.h"

#include <gtest/gtest.h>

namespace bursar::evaluation {
namespace {

Json row(const char* workload, const char* profiler, unsigned run, double overlap, double hot = 50) {
  return {{"workload", workload},
          {"profiler", profiler},
          {"run", run},
          {"failure", nullptr},
          {"size", {{"methods", 10}, {"contexts", 100}}},
          {"facts", {{"disabled_share", overlap / 2}}},
          {"accuracy", {{"overlap", overlap}, {"hot_edge_coverage", {{"0.10", hot}}}, {"notes", Json::array()}}}};
}

Json failed(const char* workload, const char* profiler, unsigned run, const char* why) {
  return {{"workload", workload}, {"profiler", profiler}, {"run", run}, {"failure", why}, {"messages", "last words"}};
}

Json ratio(double value) {
  return {{"ratio", value}, {"low", value - 0.1}, {"high", value + 0.1}};
}

TEST(Summary, median_of_an_even_number_is_between_the_middle_two) {
  EXPECT_EQ(median({3}), 3);
  EXPECT_EQ(median({9, 1, 5}), 5);
  EXPECT_EQ(median({9, 1, 5, 6}), 5.5);
}

TEST(Summary, accuracies_are_medians_of_the_runs_with_their_range) {
  const Json all = summarise({.settings = {},
                              .rows = {row("fop", "exact", 1, 0), row("fop", "sample", 1, 60, 10),
                                       row("fop", "sample", 2, 90, 30), row("fop", "sample", 3, 70, 20)}},
                             {"fop"}, {"sample"});
  const Json& cell = all["workloads"][0]["profilers"]["sample"];
  EXPECT_EQ(cell["runs"], 3);
  EXPECT_EQ(cell["overlap"], 70.0);
  EXPECT_EQ(cell["overlap_range"], Json({60.0, 90.0}));
  EXPECT_EQ(cell["hot_edge_coverage"]["0.10"], 20.0);
  EXPECT_EQ(cell["disabled_share"], 35.0);
  EXPECT_EQ(all["workloads"][0]["size"]["contexts"], 100);
  EXPECT_FALSE(has_failure(all));
}

TEST(Summary, the_second_exact_run_is_the_ceiling_and_the_accuracy_of_exact) {
  const Json all = summarise({.settings = {}, .rows = {row("fop", "exact", 1, 1), row("fop", "exact", 2, 99.5)}},
                             {"fop"}, {"exact"});
  EXPECT_EQ(all["workloads"][0]["ceiling"]["overlap"], 99.5);
  EXPECT_EQ(all["workloads"][0]["profilers"]["exact"]["overlap"], 99.5);
}

TEST(Summary, of_paths_has_their_measures_and_the_second_exact_run_as_ceiling) {
  const auto of = [](const char* profiler, unsigned run, double paths) {
    Json made = row("fop", profiler, run, 0);
    made["accuracy"] = {{"overlap", nullptr},
                        {"path_accuracy", paths},
                        {"edge_relative_overlap", paths - 1},
                        {"edge_absolute_overlap", paths - 2},
                        {"notes", Json::array()}};
    return made;
  };
  const Json all = summarise(
      {.settings = {{"paths", true}}, .rows = {of("exact-paths", 1, 0), of("exact-paths", 2, 99), of("paths", 1, 95)}},
      {"fop"}, {"exact-paths", "paths"});
  EXPECT_EQ(all["workloads"][0]["ceiling"]["path_accuracy"], 99.0);
  EXPECT_EQ(all["workloads"][0]["profilers"]["exact-paths"]["edge_relative_overlap"], 98.0);
  EXPECT_EQ(all["means"]["paths"]["path_accuracy"], 95.0);
  EXPECT_EQ(all["means"]["paths"]["edge_absolute_overlap"], 93.0);
  EXPECT_EQ(all["means"]["paths"]["workloads"], 1);
  EXPECT_FALSE(all["means"]["paths"].contains("overlap"));
}

TEST(Summary, a_failure_has_its_reason_and_no_numbers) {
  const Json all =
      summarise({.settings = {}, .rows = {row("fop", "sample", 1, 60), failed("fop", "sample", 2, "wrong checksum")}},
                {"fop"}, {"sample"});
  const Json& cell = all["workloads"][0]["profilers"]["sample"];
  EXPECT_EQ(cell["failure"], "wrong checksum");
  EXPECT_EQ(cell["messages"], "last words");
  EXPECT_FALSE(cell.contains("overlap"));
  EXPECT_EQ(all["means"]["sample"]["workloads"], 0);
  EXPECT_TRUE(has_failure(all));
}

TEST(Summary, a_run_that_was_repeated_replaces_its_failure) {
  const Json all = summarise({.settings = {}, .rows = {failed("fop", "sample", 1, "no"), row("fop", "sample", 1, 60)}},
                             {"fop"}, {"sample"});
  EXPECT_EQ(all["workloads"][0]["profilers"]["sample"]["overlap"], 60.0);
  EXPECT_FALSE(has_failure(all));
}

TEST(Summary, repeated_runs_have_means_over_workloads) {
  const auto repeated = [](const char* workload, unsigned run, Json agreement) {
    return Json{{"workload", workload},
                {"profiler", "sample"},
                {"run", run},
                {"failure", nullptr},
                {"facts", Json::object()},
                {"size", {{"calls", 5.0}}},
                {"agreement", std::move(agreement)}};
  };
  const auto pair = [](double overlap) {
    return Json::array({{{"correlation", 99.0}, {"overlap", overlap}, {"noise_overlap", overlap + 1}}});
  };
  const Json all = summarise({.settings = {},
                              .rows = {repeated("fop", 1, Json::array()), repeated("fop", 2, pair(80)),
                                       repeated("jack", 1, Json::array()), repeated("jack", 2, pair(90))}},
                             {"fop", "jack"}, {"sample"});
  EXPECT_EQ(all["workloads"][0]["profilers"]["sample"]["repetition"]["overlap"], 80.0);
  EXPECT_EQ(all["workloads"][1]["profilers"]["sample"]["repetition"]["runs"], 2);
  EXPECT_EQ(all["means"]["sample"]["repetition"]["overlap"], 85.0);
  EXPECT_EQ(all["means"]["sample"]["repetition"]["noise_overlap"], 86.0);
  EXPECT_EQ(all["means"]["sample"]["repetition"]["workloads"], 2);
  EXPECT_FALSE(has_failure(all));
}

TEST(Summary, advice_is_told_as_a_multiple_of_none) {
  const auto compiled = [](const char* profiler, unsigned bytes, unsigned calls, unsigned forced) {
    return Json{{"workload", "fop"},
                {"profiler", profiler},
                {"run", 1},
                {"failure", nullptr},
                {"compiled", {{"code_bytes", bytes}, {"inlined_calls", calls}, {"forced_calls", forced}}}};
  };
  const Json all =
      summarise({.settings = {}, .rows = {compiled("baseline", 1000, 50, 0), compiled("advice-density", 1100, 60, 7)}},
                {"fop"}, {"advice-density"});
  const Json& cell = all["workloads"][0]["profilers"]["advice-density"];
  EXPECT_DOUBLE_EQ(cell["code"].get<double>(), 1.1);
  EXPECT_DOUBLE_EQ(cell["inlined"].get<double>(), 1.2);
  EXPECT_EQ(cell["forced"], 7);
  EXPECT_DOUBLE_EQ(all["means"]["advice-density"]["code"].get<double>(), 1.1);
}

TEST(Summary, sampling_is_that_of_the_first_profiler_that_has_it) {
  Json first = row("fop", "cbs-8-2-none", 1, 60), second = row("fop", "cbs-1-1-none", 1, 60);
  first["sampling"] = "first";
  first["accuracy"]["call_graph_overlap_without_trivial"] = 44.0;
  second["sampling"] = "second";
  const Json all = summarise({.settings = {}, .rows = {second, first}}, {"fop"}, {"cbs-8-2-none", "cbs-1-1-none"});
  EXPECT_EQ(all["workloads"][0]["sampling"], "first");
  EXPECT_EQ(all["means"]["cbs-8-2-none"]["call_graph_overlap_without_trivial"], 44.0);
}

TEST(Summary, a_failed_truth_is_the_workloads_failure) {
  const Json all =
      summarise({.settings = {}, .rows = {failed("fop", "exact", 1, "exit status 3")}}, {"fop"}, {"sample"});
  EXPECT_EQ(all["workloads"][0]["failure"], "exit status 3");
  EXPECT_TRUE(has_failure(all));
}

TEST(Summary, slowdowns_are_taken_as_they_were_measured) {
  const Json slowdown = {
      {"workloads",
       {{"fop", {{"variants", {{"sample", {{"rounds", 5}, {"failure", nullptr}, {"slowdown", ratio(1.2)}}}}}}},
        {"jack", {{"variants", {{"sample", {{"failure", {{"reason", "it hung"}, {"messages", ""}}}}}}}}}}},
      {"geometric_mean", {{"sample", {{"workloads", {"fop"}}, {"slowdown", ratio(1.2)}}}}},
      {"other_cpu_share", 0.25}};
  const Json all = summarise({.settings = {}, .rows = {}, .slowdown = slowdown}, {"fop", "jack"}, {"sample"});
  EXPECT_EQ(all["workloads"][0]["profilers"]["sample"]["slowdown"], ratio(1.2));
  EXPECT_EQ(all["workloads"][1]["profilers"]["sample"]["slowdown_failure"], "it hung");
  EXPECT_EQ(all["means"]["sample"]["slowdown"], ratio(1.2));
  EXPECT_EQ(all["means"]["sample"]["slowdown_workloads"], 1);
  EXPECT_NE(all["notes"][0].get<std::string>().find("25 %"), std::string::npos);
  EXPECT_TRUE(has_failure(all));
}

Json trace_row(const char* workload, double overlap, const char* shortcoming = nullptr) {
  const Json variant = {{"scheme", "adaptive"},
                        {"reenable", 0.05},
                        {"ticks", 7},
                        {"overlap", overlap},
                        {"disabled_percent", overlap / 2},
                        {"calls_seen_percent", 2},
                        {"hot_edge_coverage", {{"0.10", overlap}}}};
  Json row = {{"workload", workload}, {"profiler", "trace"}, {"run", 1}, {"failure", nullptr}};
  row["study"] = {{"clock", "recorded time"}, {"variants", {variant}}, {"sweep", {variant, variant}}};
  if (shortcoming != nullptr) row["study"]["shortcoming"] = shortcoming;
  return row;
}

TEST(Summary, simulations_are_shown_by_workload_and_their_shares_as_means) {
  const Json all = summarise({.settings = {}, .rows = {trace_row("fop", 60), trace_row("jack", 80, "it was cut")}},
                             {"fop", "jack", "xalan"}, {"sample"});
  EXPECT_EQ(all["workloads"][1]["simulation"]["variants"][0]["overlap"], 80.0);
  EXPECT_FALSE(all["workloads"][2].contains("simulation"));
  const Json& mean = all["simulation"];
  EXPECT_EQ(mean["workloads"], 2);
  EXPECT_EQ(mean["clock"], "recorded time");
  EXPECT_EQ(mean["sweep"].size(), 2U);
  EXPECT_EQ(mean["variants"][0]["overlap"], 70.0);
  EXPECT_EQ(mean["variants"][0]["disabled_percent"], 35.0);
  EXPECT_EQ(mean["variants"][0]["hot_edge_coverage"]["0.10"], 70.0);
  EXPECT_EQ(mean["variants"][0]["reenable"], 0.05);
  EXPECT_FALSE(mean["variants"][0].contains("ticks")) << "one workload's count is no mean";
  EXPECT_EQ(all["notes"], Json({"simulation: the trace is not of the whole run: it was cut (jack)"}));
  EXPECT_FALSE(has_failure(all));
}

TEST(Summary, a_trace_that_failed_is_a_failure_and_in_no_mean) {
  const Json all = summarise({.settings = {}, .rows = {failed("fop", "trace", 1, "disk full"), trace_row("jack", 80)}},
                             {"fop", "jack"}, {"sample"});
  EXPECT_EQ(all["workloads"][0]["simulation"]["failure"], "disk full");
  EXPECT_EQ(all["simulation"]["workloads"], 1);
  EXPECT_TRUE(has_failure(all));
}

TEST(Summary, a_program_that_fails_by_itself_says_so) {
  const Json all =
      summarise({.settings = {}, .rows = {failed("program", "baseline", 1, "exit status 1")}}, {"program"}, {"sample"});
  EXPECT_EQ(all["workloads"][0]["failure"], "exit status 1");
  EXPECT_EQ(all["workloads"][0]["failed"], "the program itself");
}

TEST(Summary, means_are_over_the_workloads_that_have_numbers) {
  const Json all =
      summarise({.settings = {}, .rows = {row("fop", "sample", 1, 60, 10), row("jack", "sample", 1, 80, 40)}},
                {"fop", "jack", "xalan"}, {"sample"});
  EXPECT_EQ(all["means"]["sample"]["workloads"], 2);
  EXPECT_EQ(all["means"]["sample"]["overlap"], 70.0);
  EXPECT_EQ(all["means"]["sample"]["hot_edge_coverage"]["0.10"], 25.0);
  EXPECT_FALSE(has_failure(all)) << "what is not run yet has not failed";
}

TEST(Summary, a_note_names_its_workloads_unless_it_holds_for_all) {
  Json some = row("fop", "sample", 1, 1), one = row("jack", "sample", 1, 1);
  some["accuracy"]["notes"] = {"everywhere", "here"};
  one["accuracy"]["notes"] = {"everywhere"};
  const Json all = summarise({.settings = {}, .rows = {some, one}}, {"fop", "jack"}, {"sample"});
  EXPECT_EQ(all["notes"], Json({"sample: everywhere", "sample: here (fop)"}));
}

}  // namespace
}  // namespace bursar::evaluation
