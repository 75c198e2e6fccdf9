#include "evaluation/studies.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace bursar::evaluation {
namespace {

TEST(Studies, call_graphs_are_five_samplings_with_three_corrections_each) {
  const std::vector<std::string> names = study_names(kCallGraphs);
  EXPECT_EQ(names.size(), 15U);
  EXPECT_EQ(std::set(names.begin(), names.end()).size(), 15U);
  EXPECT_EQ(names.front(), "cbs-100-17-density");
  const std::vector<std::string> words = {"--mode",   "cbs", "--samples", "8",
                                          "--stride", "2",   "--correct", "density+latency"};
  EXPECT_EQ(record_options("cbs-8-2-density+latency"), words);
}

TEST(Studies, modes_are_recorded_as_they_are) {
  EXPECT_EQ(record_options("exact"), (std::vector<std::string>{"--mode", "exact"}));
  EXPECT_TRUE(study_names("exact").empty());
}

TEST(Studies, advice_is_of_corrected_profiles_and_of_others_with_limits_weakened_and_not) {
  const std::vector<std::string> cbs = study_names(kCallGraphs);
  std::set<std::string> profiles;
  for (const std::string& name : study_names(kAdvice)) {
    const AdvisedWay* way = find_advised(name);
    ASSERT_NE(way, nullptr) << name;
    profiles.insert(way->profile);
    EXPECT_NE(std::find(cbs.begin(), cbs.end(), way->profile), cbs.end()) << way->profile;
    const bool refuses = std::find(way->options.begin(), way->options.end(), "--refuse") != way->options.end();
    EXPECT_EQ(refuses, name.ends_with("-weak")) << name;
  }
  EXPECT_EQ(profiles.size(), 2U);
  EXPECT_EQ(find_advised("cbs-8-2-none"), nullptr);
}

}  // namespace
}  // namespace bursar::evaluation
