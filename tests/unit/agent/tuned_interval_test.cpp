#include "agent/tuned_interval.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;

// A portion of which all or nothing is repeated.
bool portion(TunedInterval& interval, bool repeated, std::uint64_t time_ns, const TunedInterval::Cost& cost) {
  for (std::uint64_t i = 0; i < schemes::IntervalTuner::kPortion; ++i) interval.sample(repeated);
  return interval.tune(time_ns, cost);
}

TEST(TunedIntervalTest, changes_are_kept_with_their_time) {
  TunedInterval interval(*parse_agent_options("tune=1"));
  interval.begin({});
  EXPECT_EQ(interval.interval_ns(), 50'000'000U);
  EXPECT_TRUE(portion(interval, true, 7 * kSecond, {1, kSecond}));
  EXPECT_TRUE(portion(interval, true, 9 * kSecond, {2, 2 * kSecond}));
  profile::ProfileData data;
  interval.add_to(data);
  ASSERT_EQ(data.series.size(), 1U);
  EXPECT_EQ(data.series[0].value, (std::vector<double>{5e7, 1e8, 2e8}));
  EXPECT_EQ(data.series[0].time_ns, (std::vector<std::uint64_t>{0, 7 * kSecond, 9 * kSecond}));
  EXPECT_EQ(data.counters["interval_changes"], 2U);
}

TEST(TunedIntervalTest, a_portion_costs_what_was_spent_in_it) {
  TunedInterval interval(*parse_agent_options("tune=1"));
  // All that was spent before it began is of no concern.
  interval.begin({.own_ns = 5 * kSecond, .process_ns = 6 * kSecond});
  EXPECT_TRUE(portion(interval, false, 1, {.own_ns = 5 * kSecond + kSecond / 1000, .process_ns = 7 * kSecond}));
  EXPECT_EQ(interval.interval_ns(), 25'000'000U) << "0.1 %";
  EXPECT_TRUE(portion(interval, false, 2, {.own_ns = 5 * kSecond + kSecond * 41 / 1000, .process_ns = 8 * kSecond}));
  EXPECT_EQ(interval.interval_ns(), 100'000'000U) << "4 %";
}

TEST(TunedIntervalTest, what_costs_too_much_lengthens_after_seconds_however_few_samples_there_were) {
  TunedInterval interval(*parse_agent_options("tune=1"));
  interval.begin({});
  constexpr std::uint64_t kMs = 1'000'000;
  EXPECT_FALSE(interval.tune(4 * kSecond, {.own_ns = 80 * kMs, .process_ns = 4 * kSecond})) << "too soon";
  EXPECT_TRUE(interval.tune(5 * kSecond, {.own_ns = 100 * kMs, .process_ns = 5 * kSecond}));
  EXPECT_EQ(interval.interval_ns(), 100 * kMs) << "2 %";
  EXPECT_FALSE(interval.tune(20 * kSecond, {.own_ns = 150 * kMs, .process_ns = 5 * kSecond + 400 * kMs}))
      << "the process hardly ran";
  EXPECT_TRUE(interval.tune(21 * kSecond, {.own_ns = 200 * kMs, .process_ns = 6 * kSecond}));
  EXPECT_EQ(interval.interval_ns(), 1000 * kMs);
  EXPECT_FALSE(interval.tune(40 * kSecond, {.own_ns = 205 * kMs, .process_ns = 9 * kSecond}));
  profile::ProfileData data;
  interval.add_to(data);
  EXPECT_EQ(data.series[0].time_ns, (std::vector<std::uint64_t>{0, 5 * kSecond, 21 * kSecond}));
}

}  // namespace
}  // namespace bursar::agent
