#include "evaluation/program_slowdowns.h"

#include <gtest/gtest.h>

#include "evaluation/config.h"

namespace bursar::evaluation {
namespace {

Json row(const char* profiler, unsigned round, double cpu_s, Json failure = nullptr) {
  return {{"workload", kProgram}, {"profiler", profiler},  {"run", round},
          {"cpu_s", cpu_s},       {"max_rss_kb", 100'000}, {"failure", std::move(failure)}};
}

Json variant_of(const std::vector<Json>& rows) {
  return program_slowdowns(rows, {"sample"})["workloads"][kProgram]["variants"]["sample"];
}

TEST(ProgramSlowdowns, are_paired_by_round) {
  std::vector<Json> rows;
  for (unsigned round = 1; round <= 5; ++round) {
    rows.push_back(row("sample", round, 1.5 * round));
    rows.push_back(row(kBaseline, round, round));
  }
  rows.push_back(row(kBaseline, 6, 1));  // stopped before its pair
  const Json sample = variant_of(rows);
  EXPECT_EQ(sample["rounds"], 5);
  EXPECT_DOUBLE_EQ(sample["whole_process"]["ratio"], 1.5);
  EXPECT_DOUBLE_EQ(sample["whole_process"]["high"], 1.5);
  EXPECT_DOUBLE_EQ(sample["memory"]["ratio"], 1);
}

TEST(ProgramSlowdowns, a_failed_run_leaves_no_number) {
  const Json sample =
      variant_of({row(kBaseline, 1, 1), row("sample", 1, 2), row(kBaseline, 2, 1), row("sample", 2, 2, "it crashed")});
  EXPECT_EQ(sample["rounds"], 0);
  EXPECT_TRUE(sample["whole_process"].is_null());
}

}  // namespace
}  // namespace bursar::evaluation
