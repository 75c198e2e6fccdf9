#include "evaluation/slowdown_runs.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bursar::evaluation {
namespace {

std::string after(const std::vector<std::string>& words, const std::string& option, std::size_t which = 0) {
  auto found = std::find(words.begin(), words.end(), option);
  for (; which > 0 && found != words.end(); --which) found = std::find(found + 1, words.end(), option);
  return found == words.end() ? "" : *(found + 1);
}

TEST(SlowdownRuns, bench_slowdown_is_told_everything_that_matters) {
  Config config{
      .workloads = *Workloads::open("bench/workloads"), .names = {"fop", "jack"}, .modes = {"exact"}, .peers = {"jfr"}};
  config.bursar_word = "'/a b/bursar'";
  config.runs = 7;
  config.iterations = 3;
  config.folder = "/results";
  const std::vector<std::string> words = slowdown_command(config);
  EXPECT_TRUE(words.front().ends_with("/bench/slowdown"));
  EXPECT_EQ(after(words, "--workloads"), "fop,jack");
  EXPECT_EQ(after(words, "--with"), "exact='/a b/bursar' record --quiet --force --mode exact -o {out} -- {java}");
  EXPECT_TRUE(after(words, "--with", 1).starts_with("jfr=-XX:StartFlightRecording"));
  EXPECT_NE(after(words, "--with", 1).find("filename={out}.jfr"), std::string::npos);
  EXPECT_EQ(after(words, "--runs"), "7");
  EXPECT_EQ(after(words, "--iterations"), "3");
  EXPECT_EQ(after(words, "--out"), "/results/slowdown.jsonl");
  EXPECT_EQ(after(words, "--jdk"), "");
  EXPECT_EQ(std::count(words.begin(), words.end(), "--retry-failed"), 0);
}

TEST(SlowdownRuns, advice_runs_the_program_with_the_directives_of_its_own_profile) {
  Config config{.workloads = *Workloads::open("bench/workloads"),
                .names = {"fop"},
                .modes = {"advice-none-weak", "cbs-8-2-density"}};
  config.bursar_word = "bursar";
  config.folder_word = "'/a b'";
  const std::vector<std::string> words = slowdown_command(config);
  EXPECT_EQ(
      after(words, "--with"),
      "advice-none-weak=bursar advise '/a b'/profiles/{workload}.cbs-100-17-none.1.bursar --apply --quiet --limit 200 "
      "--refuse --static-limit 17 -- {java}");
  EXPECT_EQ(
      after(words, "--with", 1),
      "cbs-8-2-density=bursar record --quiet --force --mode cbs --samples 8 --stride 2 --correct density -o {out} -- "
      "{java}");
}

}  // namespace
}  // namespace bursar::evaluation
