#include "evaluation/harness_output.h"

#include <gtest/gtest.h>

namespace bursar::evaluation {
namespace {

constexpr const char* kResult = "result fop median_ms 1.5 median_cpu_ms 10.0 checksum 0003d1ba0b07e250 ";

std::string run(const std::string& last) {
  return "setup cpu_ms 60.0\n[info] a line of a profiler\niter 1 ms 4.0 cpu_ms 10.0 checksum 0003d1ba0b07e250\n" + last;
}

TEST(HarnessOutput, a_complete_run_has_a_checksum) {
  const auto checksum = parse_checksum(run(std::string(kResult) + "OK\nthe end\n"));
  ASSERT_TRUE(checksum);
  EXPECT_EQ(*checksum, "0003d1ba0b07e250");
}

TEST(HarnessOutput, a_run_that_ended_early_has_none) {
  EXPECT_EQ(parse_checksum(run("")).error().message, "the program ended without a result");
  EXPECT_EQ(parse_checksum("").error().message, "the program ended without a result");
  EXPECT_EQ(parse_checksum(run(kResult)).error().message, "the program ended without a result");
}

TEST(HarnessOutput, what_the_harness_calls_wrong_is_wrong) {
  EXPECT_EQ(parse_checksum(run(std::string(kResult) + "UNSTABLE\n")).error().message,
            "the iterations give different checksums");
  EXPECT_EQ(parse_checksum(run(std::string(kResult) + "WRONG\n")).error().message, "the harness says WRONG");
}

}  // namespace
}  // namespace bursar::evaluation
