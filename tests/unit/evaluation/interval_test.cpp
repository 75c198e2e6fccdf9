#include "evaluation/interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace bursar::evaluation {
namespace {

TEST(Interval, is_of_ratios_round_by_round) {
  // The machine's speed changes from round to round; the ratio does not.
  const Json twice = paired_ratio({1, 5, 2, 9, 3}, {2, 10, 4, 18, 6});
  EXPECT_DOUBLE_EQ(twice["ratio"], 2);
  EXPECT_DOUBLE_EQ(twice["low"], 2);
  EXPECT_DOUBLE_EQ(twice["high"], 2);
}

TEST(Interval, needs_five_rounds) {
  const Json four = paired_ratio({1, 1, 1, 1}, {2, 3, 4, 5});
  EXPECT_DOUBLE_EQ(four["ratio"], std::sqrt(3.0 * 4));
  EXPECT_TRUE(four["low"].is_null());
  EXPECT_TRUE(paired_ratio({}, {}).is_null());
  EXPECT_TRUE(paired_ratio({0, 1}, {1, 1}).is_null()) << "too short for the clock";
}

TEST(Interval, holds_the_truth_as_often_as_it_says) {
  std::mt19937 random(3);
  for (const std::size_t rounds : {5U, 7U, 12U}) {
    std::lognormal_distribution<double> noise(0, 0.1);
    int held = 0;
    constexpr int kTrials = 300;
    for (int trial = 0; trial < kTrials; ++trial) {
      std::vector<double> baseline, variant;
      for (std::size_t i = 0; i < rounds; ++i) {
        baseline.push_back(noise(random));
        variant.push_back(1.3 * noise(random));
      }
      const Json found = paired_ratio(baseline, variant);
      if (found["low"] <= 1.3 && 1.3 <= found["high"]) ++held;
    }
    EXPECT_GT(held, 0.90 * kTrials) << rounds;
    EXPECT_LT(held, 0.995 * kTrials) << rounds;
  }
}

}  // namespace
}  // namespace bursar::evaluation
