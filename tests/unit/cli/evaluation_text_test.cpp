#include "cli/evaluation_text.h"

#include <gtest/gtest.h>

namespace {

using bursar::cli::evaluation_text;
using bursar::evaluation::Json;

Json cell(double overlap) {
  return {{"runs", 3},
          {"failure", nullptr},
          {"overlap", overlap},
          {"hot_edge_coverage", {{"0.10", 91.25}}},
          {"call_graph_overlap", nullptr}};
}

Json evaluation(Json adaptive) {
  Json mean = {{"workloads", 1}, {"overlap", 88.5}};
  Json fop = {{"name", "fop"},
              {"failure", nullptr},
              {"size", {{"methods", 4003}, {"graph_edges", 7873}, {"contexts", 122976}, {"calls", 24440093}}},
              {"ceiling", cell(99.97)},
              {"profilers", {{"adaptive", std::move(adaptive)}}}};
  return {{"workloads", Json::array({fop})}, {"means", {{"adaptive", mean}}}, {"notes", {"adaptive: a note"}}};
}

std::string text(Json adaptive) {
  return evaluation_text(evaluation(std::move(adaptive)), {.utf8 = true, .colours = false, .width = 0});
}

TEST(EvaluationText, shows_sizes_accuracy_and_notes) {
  const std::string shown = text(cell(88.5));
  EXPECT_NE(shown.find("  4,003        7,873   122,976  24,440,093  99.97 %  fop\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("88.50 %    91.25 %  fop, adaptive\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("note: adaptive: a note\n"), std::string::npos) << shown;
}

TEST(EvaluationText, repeated_runs_stand_beside_what_noise_predicts) {
  Json repeated = {{"runs", 10}, {"failure", nullptr}};
  repeated["repetition"] = {{"runs", 10},
                            {"pairs", 45},
                            {"total", 12345.0},
                            {"correlation", 99.1},
                            {"correlation_range", {98.7, 99.4}},
                            {"noise_correlation", 99.25},
                            {"activation_correlation", 99.9},
                            {"overlap", 88.2},
                            {"overlap_range", {87.0, 89.0}},
                            {"noise_overlap", 90.25}};
  const std::string shown = text(repeated);
  const char* const row =
      "  10  12,345      99.10 %  98.70 %   99.25 %      99.90 %  88.20 %  87.00 %   90.25 %  fop, adaptive\n";
  EXPECT_NE(shown.find(row), std::string::npos) << shown;
}

TEST(EvaluationText, leaves_out_columns_without_numbers) {
  const std::string without = text(cell(88.5));
  EXPECT_EQ(without.find("95 % interval"), std::string::npos) << without;
  Json slower = cell(88.5);
  slower["slowdown"] = {{"ratio", 1.0824}, {"low", 1.05}, {"high", 1.11}};
  const std::string with = text(slower);
  EXPECT_NE(with.find("1.082  1.050 – 1.110  fop, adaptive\n"), std::string::npos) << with;
}

TEST(EvaluationText, few_rounds_have_a_slowdown_and_no_interval) {
  Json slower = cell(88.5);
  slower["slowdown"] = {{"ratio", 1.0824}, {"low", nullptr}, {"high", nullptr}};
  const std::string shown = text(slower);
  EXPECT_NE(shown.find("1.082  fop, adaptive\n"), std::string::npos) << shown;
}

TEST(EvaluationText, a_program_of_its_own_has_an_interval_of_its_whole_process) {
  Json slower = cell(88.5);
  slower["whole_process"] = {{"ratio", 1.0824}, {"low", 1.05}, {"high", 1.11}};
  const std::string shown = text(slower);
  EXPECT_NE(shown.find("1.082  1.050 – 1.110  fop, adaptive\n"), std::string::npos) << shown;
}

Json variant(double burst_ms, double reenable, double interval_ms, double overlap) {
  return {{"scheme", "adaptive"},       {"interval_ns", interval_ms * 1e6},
          {"burst_ns", burst_ms * 1e6}, {"reenable", reenable},
          {"disabled_percent", 93.5},   {"calls_seen_percent", 2.25},
          {"overlap", overlap},         {"hot_edge_coverage", {{"0.10", 75.0}}}};
}

TEST(EvaluationText, simulations_have_tables_of_schemes_of_time_and_of_options) {
  Json all = evaluation(cell(88.5));
  Json usual = variant(0.2, 0.05, 10, 80);
  const Json sweep = {variant(0.2, 0, 10, 70), variant(0.2, 0.05, 10, 80), variant(1, 0, 10, 85),
                      variant(1, 0.05, 10, 90), variant(0.2, 0.05, 2, 95)};
  all["simulation"] = {
      {"clock", "recorded time"}, {"workloads", 1}, {"variants", Json::array({usual})}, {"sweep", sweep}};
  usual["over_time"] = {{{"events", 51}, {"overlap", 40.5}}, {{"events", 1000}, {"overlap", 80.0}}};
  all["workloads"][0]["simulation"] = {{"failure", nullptr}, {"events", 1000}, {"variants", Json::array({usual})}};
  const std::string shown = evaluation_text(all, {.utf8 = true, .colours = false, .width = 0});
  for (const char* line :
       {"clock: recorded time", "80.00 %    75.00 %      2.25 %   93.50 %  fop, adaptive\n",
        "40.50 %     -     -     -     -  80.00 %  fop\n", "70.00 % (2.25 %)  80.00 % (2.25 %)  0.2ms\n",
        "85.00 % (2.25 %)  90.00 % (2.25 %)  1ms\n", "95.00 % (2.25 %)  2ms\n", "80.00 % (2.25 %)  10ms\n"}) {
    EXPECT_NE(shown.find(line), std::string::npos) << line << "\n" << shown;
  }
}

TEST(EvaluationText, a_failure_has_its_reason_and_last_words_below) {
  const std::string shown = text({{"runs", 0}, {"failure", "exit status 3"}, {"messages", "first\nlast\x1b[2J"}});
  EXPECT_NE(shown.find("fop, adaptive: FAILED\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("fop, adaptive failed: exit status 3\n    first\n    last\\x1b[2J\n"), std::string::npos)
      << shown;
}

}  // namespace
