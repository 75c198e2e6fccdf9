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

TEST(EvaluationText, a_failure_has_its_reason_and_last_words_below) {
  const std::string shown = text({{"runs", 0}, {"failure", "exit status 3"}, {"messages", "first\nlast\x1b[2J"}});
  EXPECT_NE(shown.find("fop, adaptive: FAILED\n"), std::string::npos) << shown;
  EXPECT_NE(shown.find("fop, adaptive failed: exit status 3\n    first\n    last\\x1b[2J\n"), std::string::npos)
      << shown;
}

}  // namespace
