#include "agent/bursts.h"

#include <gtest/gtest.h>

#include <array>

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
    state = {};
    bursts.skip(state);
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
  bursts.ran(schemes::kSettlesNs, 5'000);
  EXPECT_NEAR(mean_gap(bursts, 20'000, pace) / at_first, 64, 5);  // bursts are four times as long
  EXPECT_EQ(pace, 4);
  bursts.ran(schemes::kSettlesNs + 1, 6'000);
  EXPECT_EQ(bursts.intervals().value, (std::vector<double>{10e6, 640e6}));
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

// Which part of a thread's passes of gates lies in bursts, for gates of three costs.
std::array<double, 3> parts_in_bursts(Bursts& bursts, core::ContextTree& tree, bool is_looked_at) {
  constexpr std::array<std::int32_t, 3> kCosts = {1, 64, 1024};
  std::array<double, 3> passed{}, counted{};
  BurstState state;
  schemes::Random random(9, 0);
  bool is_first = true;
  for (int i = 0; i < 3'000'000; ++i) {
    const std::size_t which = i % 100 < 50 ? 0 : random.part() < 0.9 ? 1 : 2;
    if (state.into != nullptr || state.countdown <= 0) {
      const auto next = bursts.check(state, is_first);
      if (next == Bursts::Next::kBegins) bursts.begin(state, tree);
      is_first = false;
    }
    passed[which] += 1;
    counted[which] += state.into != nullptr ? 1 : 0;
    state.pass(kCosts[which]);
    if (is_looked_at) state.watch();
  }
  for (std::size_t i = 0; i < 3; ++i) counted[i] /= passed[i];
  return counted;
}

TEST_F(BurstsTest, every_gate_has_the_same_chance_whatever_it_costs) {
  for (const bool is_looked_at : {false, true}) {
    Bursts bursts(methods, {.interval_ns = 10'000'000, .burst_ns = 1'000'000}, false);
    core::ContextBudget budget(1000);
    core::ContextTree tree(methods, budget, methods.add({.class_name = "C", .name = "m", .descriptor = "()V"}), {});
    for (const double part : parts_in_bursts(bursts, tree, is_looked_at)) EXPECT_NEAR(part, 0.1, 0.01);
  }
}

TEST(BurstState, a_burst_that_is_watched_is_as_long_as_before) {
  const core::MethodTable methods;
  core::ContextBudget budget(1000);
  core::ContextTree tree(methods, budget, 0, {});
  BurstState state{.left = 10, .into = &tree, .pace = 3};
  state.watch();
  EXPECT_TRUE(state.watched());
  EXPECT_EQ(state.left, 0);
  state.go_on();
  EXPECT_FALSE(state.watched());
  EXPECT_EQ(state.left, 10);
  state.pass(12);
  state.watch();
  EXPECT_FALSE(state.watched());  // it is over
  EXPECT_EQ(state.left, -2);
}

}  // namespace
}  // namespace bursar::agent
