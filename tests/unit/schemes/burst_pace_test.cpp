#include "schemes/burst_pace.h"

#include <gtest/gtest.h>

namespace bursar::schemes {
namespace {

TEST(BurstPace, it_halves_whenever_the_time_has_doubled) {
  EXPECT_EQ(pace_after(0), 0);
  EXPECT_EQ(pace_after(kFirstSpanNs - 1), 0);
  for (Pace pace = 1; pace <= kLastByTime; ++pace) {
    EXPECT_EQ(pace_after((kFirstSpanNs << (pace - 1)) - 1), pace - 1);
    EXPECT_EQ(pace_after(kFirstSpanNs << (pace - 1)), pace);
  }
}

TEST(BurstPace, in_the_end_it_stays) {
  EXPECT_EQ(pace_after(~std::uint64_t{0}), kLastByTime);
}

constexpr std::uint64_t kManyStacks = 1'000'000;

// Where bursts take this part of the program's time at the first pace, and accordingly less at others: how much of it
// they took when it has run for so long, and which part of the last tenth of a second.
struct Cost {
  double whole_s, last_share;
};
Cost cost_of(double share_at_first, int seconds, std::uint64_t stacks = kManyStacks) {
  BurstPace pace;
  double in_bursts_ns = 0, last_ns = 0;
  Pace now = 0;
  for (int tenths = 1; tenths <= 10 * seconds; ++tenths) {
    last_ns = 1e8 * share_at_first / static_cast<double>(weight_at(now));
    in_bursts_ns += last_ns;
    now = pace.ran(static_cast<std::uint64_t>(tenths) * 100'000'000, static_cast<std::uint64_t>(in_bursts_ns), stacks);
  }
  return {in_bursts_ns / 1e9, last_ns / 1e8};
}

TEST(BurstPace, what_costs_little_follows_the_time_alone) {
  const Cost cost = cost_of(0.1, 200);
  EXPECT_NEAR(cost.whole_s, 0.1 * 10 * (1 + 4 * 0.5) + 0.1 * 40 / 32, 0.05);
  EXPECT_DOUBLE_EQ(cost.last_share, 0.1 / 32);
}

TEST(BurstPace, one_that_settles_stays_and_is_there_at_once) {
  BurstPace settles(BurstPace::Budget{.settles = true}), doubles;
  for (std::uint64_t cpu_ns = 0; cpu_ns < 64 * kFirstSpanNs; cpu_ns += kFirstSpanNs / 4) {
    const Pace pace = settles.ran(cpu_ns, 0, 0), other = doubles.ran(cpu_ns, 0, 0);
    EXPECT_EQ(pace, cpu_ns < kSettlesNs ? 0 : std::max(other, kSettled)) << cpu_ns;
  }
}

TEST(BurstPace, what_costs_much_is_limited) {
  for (const double share : {0.5, 0.9}) {
    for (const int seconds : {20, 60, 600}) {
      const Cost cost = cost_of(share, seconds);
      EXPECT_LE(cost.whole_s, 1.3 * (5 + BurstPace::Budget{}.part * seconds)) << share << " " << seconds;
      EXPECT_LE(cost.last_share, seconds > 20 ? BurstPace::Budget{}.part : 1) << share << " " << seconds;
    }
  }
}

TEST(BurstPace, what_shows_nothing_new_costs_little) {
  const double most_s = 1 + 0.002 * 100;
  EXPECT_LE(cost_of(0.5, 10, 100).whole_s, 1.3 * (most_s + BurstPace::Budget{}.part * 10));
  EXPECT_GT(cost_of(0.5, 10, 100).whole_s, most_s);
}

TEST(BurstPace, new_stacks_bring_the_first_pace_back) {
  BurstPace pace;
  for (std::uint64_t s = 1; s <= 5; ++s) pace.ran(s * 1'000'000'000, s * 400'000'000, 10);
  EXPECT_GT(pace.ran(5'500'000'000, 2'200'000'000, 10), 0);
  EXPECT_EQ(pace.ran(6'000'000'000, 2'400'000'000, 3'000), 0);
  EXPECT_GT(pace.ran(8'000'000'000, 5'000'000'000, kManyStacks), 0) << "no more than that in all";
}

TEST(BurstPace, it_has_an_end) {
  BurstPace pace;
  Pace last = 0;
  for (std::uint64_t s = 1; s < 100; ++s) last = pace.ran(s * 1'000'000'000, s * 1'000'000'000, kManyStacks);
  EXPECT_EQ(last, kPaces - 1);
}

}  // namespace
}  // namespace bursar::schemes
