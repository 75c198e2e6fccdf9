#include "schemes/checked_bursts.h"

#include <gtest/gtest.h>

namespace bursar::schemes {
namespace {

// Which part of many checks lies in bursts.
double part_in_bursts(CheckedBursts& bursts, double checks, Pace pace = 0) {
  double in_bursts = 0, in_gaps = 0;
  while (in_bursts + in_gaps < checks) {
    in_bursts += bursts.burst_length(pace);
    in_gaps += bursts.gap_length(pace);
  }
  return in_bursts / (in_bursts + in_gaps);
}

TEST(CheckedBursts, the_chance_of_a_check_is_what_was_asked_for) {
  for (const double chance : {0.002, 0.02, 0.2, 0.5}) {
    CheckedBursts bursts(chance, 1'000, 1);
    EXPECT_NEAR(part_in_bursts(bursts, 1e8), chance, chance * 0.05);
  }
}

TEST(CheckedBursts, bursts_get_longer_as_they_get_rarer) {
  CheckedBursts bursts(0.02, 40'000, 2);
  EXPECT_EQ(bursts.burst_length(0), 4'000);
  EXPECT_EQ(bursts.burst_length(2), 8'000);
  EXPECT_EQ(bursts.burst_length(4), 16'000);
}

TEST(CheckedBursts, at_each_pace_the_chance_is_half_of_the_one_before) {
  CheckedBursts bursts(0.02, 1'000, 6);
  for (Pace pace = 0; pace < kPaces; ++pace) {
    const double weight = static_cast<double>(weight_at(pace)), chance = 0.02 / weight;
    EXPECT_NEAR(part_in_bursts(bursts, 4e8 * weight, pace), chance, chance * 0.05);
  }
}

TEST(CheckedBursts, a_thread_begins_in_a_burst_with_the_same_chance) {
  CheckedBursts bursts(0.1, 200'000, 3);
  int began = 0;
  for (int i = 0; i < 100'000; ++i) began += bursts.begins_in_burst(0) ? 1 : 0;
  EXPECT_NEAR(began, 10'000, 500);
  began = 0;
  for (int i = 0; i < 100'000; ++i) began += bursts.begins_in_burst(2) ? 1 : 0;
  EXPECT_NEAR(began, 2'500, 250);
}

// Threads that end after a few checks are seen as much as others.
TEST(CheckedBursts, short_threads_have_the_same_chance) {
  CheckedBursts bursts(0.1, 1'000, 5);
  constexpr int kThreads = 50'000, kChecks = 150;  // one and a half bursts
  double counted = 0;
  for (int thread = 0; thread < kThreads; ++thread) {
    bool in_burst = bursts.begins_in_burst(0);
    int left = in_burst ? bursts.rest_of_burst(0) : bursts.gap_length(0);
    for (int check = 0; check < kChecks; ++check) {
      if (left == 0) {
        in_burst = !in_burst;
        left = in_burst ? bursts.burst_length(0) : bursts.gap_length(0);
      }
      --left;
      counted += in_burst ? 1 : 0;
    }
  }
  EXPECT_NEAR(counted / (kThreads * kChecks), 0.1, 0.005);
}

TEST(CheckedBursts, without_gaps_a_burst_does_not_end) {
  CheckedBursts bursts(1, 200'000, 4);
  EXPECT_TRUE(bursts.begins_in_burst(0));
  EXPECT_GT(bursts.burst_length(0), 1'000'000'000);
}

}  // namespace
}  // namespace bursar::schemes
