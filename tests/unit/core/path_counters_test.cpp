#include "core/path_counters.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace bursar::core {
namespace {

std::uint64_t& counter(const PathCounters& counters, std::uint32_t path) {
  return reinterpret_cast<std::uint64_t*>(counters.address())[path];
}

TEST(PathCounters, adds_up_what_was_counted_and_nothing_else) {
  PathCounters counters;
  ASSERT_NE(counters.address(), 0U);
  std::mt19937_64 random(1);
  std::map<std::uint32_t, std::uint64_t> expected;
  constexpr std::uint32_t kUsed = 3'000'001;
  for (int i = 0; i < 5000; ++i) {
    const auto path = static_cast<std::uint32_t>(random() % kUsed);
    ++counter(counters, path);
    ++expected[path];
  }
  std::vector<std::uint64_t> totals = {7};
  counters.add_to(totals, kUsed);
  expected[0] += 7;
  ASSERT_EQ(totals.size(), kUsed);
  for (std::uint32_t i = 0; i < kUsed; ++i) {
    const auto at = expected.find(i);
    ASSERT_EQ(totals[i], at != expected.end() ? at->second : 0) << i;
  }
}

TEST(PathCounters, what_lies_behind_the_used_ones_is_not_looked_at) {
  PathCounters counters;
  counter(counters, 9) = 1;
  counter(counters, 10) = 1;
  std::vector<std::uint64_t> totals;
  counters.add_to(totals, 10);
  EXPECT_EQ(totals, (std::vector<std::uint64_t>{0, 0, 0, 0, 0, 0, 0, 0, 0, 1}));
}

TEST(PathCounters, cleared_ones_begin_at_zero) {
  PathCounters counters;
  counter(counters, 3) = 5;
  counter(counters, PathCounters::kCapacity - 1) = 5;
  counters.clear();
  EXPECT_EQ(counter(counters, 3), 0U);
  EXPECT_EQ(counter(counters, PathCounters::kCapacity - 1), 0U);
}

}  // namespace
}  // namespace bursar::core
