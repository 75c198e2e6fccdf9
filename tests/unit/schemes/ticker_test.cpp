#include "schemes/ticker.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace bursar::schemes {
namespace {

std::vector<std::uint64_t> ticks(const Options& options, std::uint64_t start_ns, int count) {
  Ticker ticker(options, start_ns);
  std::vector<std::uint64_t> times;
  for (int i = 0; i < count; ++i, ticker.advance()) times.push_back(ticker.next_ns());
  return times;
}

TEST(Ticker, comes_once_in_each_interval) {
  const std::vector<std::uint64_t> times = ticks({.interval_ns = 1000}, 500, 5000);
  for (std::size_t i = 0; i < times.size(); ++i) ASSERT_EQ((times[i] - 500) / 1000, i);
}

TEST(Ticker, at_any_moment_of_it) {
  std::vector<int> tenths(10);
  for (const std::uint64_t time : ticks({.interval_ns = 1000}, 0, 10'000)) ++tenths[time % 1000 / 100];
  for (const int count : tenths) EXPECT_NEAR(count, 1000, 150);
}

TEST(Ticker, without_jitter_it_is_a_clock) {
  EXPECT_EQ(ticks({.interval_ns = 10, .jitter = 0}, 3, 4), (std::vector<std::uint64_t>{3, 13, 23, 33}));
}

TEST(Ticker, half_the_jitter_keeps_to_the_first_half) {
  const std::vector<std::uint64_t> times = ticks({.interval_ns = 1000, .jitter = 0.5}, 0, 2000);
  const auto late = std::ranges::max(times, {}, [](std::uint64_t time) { return time % 1000; }) % 1000;
  EXPECT_LT(late, 500U);
  EXPECT_GT(late, 480U);
}

TEST(Ticker, is_the_same_for_the_same_seed) {
  EXPECT_EQ(ticks({.seed = 9}, 7, 100), ticks({.seed = 9}, 7, 100));
  EXPECT_NE(ticks({.seed = 9}, 7, 100), ticks({.seed = 10}, 7, 100));
}

TEST(Ticker, an_interval_of_nothing_is_one_of_a_nanosecond) {
  EXPECT_EQ(ticks({.interval_ns = 0}, 0, 3), (std::vector<std::uint64_t>{0, 1, 2}));
}

TEST(Ticker, another_interval_begins_behind_the_next_tick) {
  Ticker ticker({.interval_ns = 10, .jitter = 0}, 0);
  ticker.set_interval(3);
  std::vector<std::uint64_t> times;
  for (int i = 0; i < 4; ++i, ticker.advance()) times.push_back(ticker.next_ns());
  EXPECT_EQ(times, (std::vector<std::uint64_t>{0, 10, 13, 16}));
}

}  // namespace
}  // namespace bursar::schemes
