#include "agent/bursts.h"

#include <gtest/gtest.h>

#include "core/gathering.h"

namespace bursar::agent {
namespace {

struct BurstsTest : testing::Test {
  core::MethodTable methods;
  const std::vector<StackFrame> stack = {{.method = 0, .site = 1}, {.method = 1, .site = 2}};

  // How many of a thousand more bursts at a stack take place once it had one.
  int admitted(schemes::Options options) {
    Bursts bursts(methods, options, false);
    bursts.admits(stack);
    int count = 0;
    for (int i = 0; i < 1000; ++i) count += bursts.admits(stack) ? 1 : 0;
    return count;
  }
};

TEST_F(BurstsTest, a_new_stack_is_not_left_to_chance) {
  Bursts bursts(methods, {.reenable = 0.05}, false);
  EXPECT_EQ(bursts.admits(stack), core::kGroups);
}

TEST_F(BurstsTest, known_stacks_have_their_part) {
  EXPECT_EQ(admitted({.reenable = 0}), 0);
  EXPECT_NEAR(admitted({.reenable = 0.2}), 200, 60);
  EXPECT_EQ(admitted({.reenable = 1}), 1000);
  EXPECT_EQ(admitted({.kind = schemes::Kind::kStatic}), 1000);
}

// Of that many gaps, after a thread's first check.
double mean_gap(Bursts& bursts, int gaps, schemes::Pace& pace) {
  double checks = 0;
  BurstState state{.into = nullptr};
  for (int i = 0; i < gaps; ++i) {
    bursts.skip(state, false);
    checks += state.countdown;
    pace = state.pace;
  }
  return checks / gaps;
}

TEST_F(BurstsTest, gaps_get_longer_the_longer_the_program_runs) {
  Bursts bursts(methods, {}, true);
  schemes::Pace pace = 0;
  const double at_first = mean_gap(bursts, 20'000, pace);
  EXPECT_EQ(pace, 0);
  bursts.ran(2 * schemes::kFirstSpanNs, 5'000);
  EXPECT_NEAR(mean_gap(bursts, 20'000, pace) / at_first, 4, 0.3);
  EXPECT_EQ(pace, 2);
  bursts.ran(2 * schemes::kFirstSpanNs + 1, 6'000);
  EXPECT_EQ(bursts.intervals().value, (std::vector<double>{10e6, 40e6}));
  EXPECT_EQ(bursts.intervals().time_ns, (std::vector<std::uint64_t>{0, 5'000}));
}

TEST_F(BurstsTest, an_interval_that_was_asked_for_stays) {
  Bursts bursts(methods, {}, false);
  bursts.ran(2 * schemes::kFirstSpanNs, 5'000);
  EXPECT_EQ(bursts.intervals().value.size(), 1U);
}

TEST_F(BurstsTest, a_burst_without_gaps_goes_on) {
  Bursts bursts(methods, {.interval_ns = 10, .burst_ns = 10}, true);
  bursts.ran(2 * schemes::kFirstSpanNs, 5'000);
  BurstState state;
  EXPECT_EQ(bursts.check(state, true), Bursts::Next::kBegins);
  EXPECT_EQ(state.pace, 0);
}

TEST(BurstState, a_gap_that_is_looked_at_is_as_long_as_before) {
  for (const std::int32_t passed : {0, 3, 9}) {
    BurstState state{.countdown = 10, .pace = 3};
    state.interrupt(passed);
    EXPECT_TRUE(state.interrupted());
    EXPECT_EQ(state.countdown, passed);
    state.go_on();
    EXPECT_FALSE(state.interrupted());
    EXPECT_EQ(state.pace, 3);
    EXPECT_EQ(passed + 1 + state.countdown, 10) << "with the check that was looked at";
  }
}

}  // namespace
}  // namespace bursar::agent
