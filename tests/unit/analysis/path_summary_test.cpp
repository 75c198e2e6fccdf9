#include "analysis/path_summary.h"

#include <gtest/gtest.h>

namespace bursar::analysis {
namespace {

profile::ProfileData data() {
  profile::ProfileData data;
  data.methods = {{"a.A", "f", "()V"}, {"a.A", "g", "()V"}};
  data.paths.method = {0, 0, 1};
  data.paths.first_block = {0, 2, 3, 5};
  data.paths.blocks = {0, 4, 0, 0, 9};
  data.paths.branches = {1, 3, 2};
  data.paths.count.value = {100, 50, 90};
  data.branches.method = {0, 0, 1};
  data.branches.bci = {2, 2, 7};
  data.branches.outcome = {0, 1, 1};
  data.branches.count.value = {30, 120, 90};
  data.lines.method = {0, 0, 1};
  data.lines.bci = {0, 4, 0};
  data.lines.line = {10, 12, 20};
  return data;
}

TEST(PathSummary, ranks_paths_by_times_and_branches_along_them) {
  const profile::ProfileData profile = data();
  const PathSummary summary = summarize_paths(profile);
  ASSERT_EQ(summary.paths.size(), 3U);
  EXPECT_EQ(summary.paths[0].path, 2U);
  EXPECT_EQ(summary.paths[0].flow, 180);
  EXPECT_EQ(summary.paths[1].path, 1U);
  EXPECT_EQ(summary.paths[2].path, 0U);
  EXPECT_EQ(summary.runs, 240);
  EXPECT_EQ(summary.flow, 430);
}

TEST(PathSummary, adds_up_outcomes_of_a_branch_and_paths_of_a_method) {
  const profile::ProfileData profile = data();
  const PathSummary summary = summarize_paths(profile);
  ASSERT_EQ(summary.branches.size(), 2U);
  EXPECT_EQ(summary.branches[0].count, 150);
  EXPECT_DOUBLE_EQ(summary.branches[0].bias, 0.8);
  EXPECT_EQ(summary.branches[0].end - summary.branches[0].first, 2U);
  EXPECT_EQ(summary.branches[1].bias, 1);
  ASSERT_EQ(summary.methods.size(), 2U);
  EXPECT_EQ(summary.methods[0].method, 0U);
  EXPECT_EQ(summary.methods[0].flow, 250);
  EXPECT_EQ(summary.methods[0].paths, 2U);
  EXPECT_EQ(summary.methods[0].runs, 150);
}

TEST(PathSummary, looks_at_methods_of_a_name_only) {
  const profile::ProfileData profile = data();
  const PathSummary summary = summarize_paths(profile, "A.g");
  EXPECT_EQ(summary.paths.size(), 1U);
  EXPECT_EQ(summary.branches.size(), 1U);
  EXPECT_TRUE(summarize_paths(profile, "B").paths.empty());
}

TEST(PathSummary, finds_lines_of_places_that_have_one) {
  const profile::ProfileData profile = data();
  EXPECT_EQ(line_at(profile.lines, 0, 4), 12U);
  EXPECT_EQ(line_at(profile.lines, 1, 0), 20U);
  EXPECT_EQ(line_at(profile.lines, 0, 3), std::nullopt);
  EXPECT_EQ(line_at(profile.lines, 1, 4), std::nullopt);
  EXPECT_EQ(line_at(profile.lines, 5, 0), std::nullopt);
}

}  // namespace
}  // namespace bursar::analysis
