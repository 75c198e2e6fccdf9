#include "schemes/thread_scheme.h"

#include <gtest/gtest.h>

namespace bursar::schemes {
namespace {

using Action = ThreadScheme::Action;

constexpr Options kShort = {.interval_ns = 1000, .burst_ns = 100};

struct Thread {
  explicit Thread(Options with, std::uint64_t number = 0)
      : history(with.history, with.collision), scheme(with, history, number) {}
  HistoryTable history;
  ThreadScheme scheme;
};

Options with(Kind kind, Options options = kShort) {
  options.kind = kind;
  return options;
}

TEST(ThreadScheme, exhaustive_looks_at_every_call) {
  Thread t(with(Kind::kExhaustive));
  EXPECT_TRUE(t.scheme.always());
  EXPECT_EQ(t.scheme.weight(0), 1);
  EXPECT_EQ(t.scheme.tick(1, 5), Action::kNone);
  EXPECT_EQ(t.scheme.weight(1'000'000), 1);
}

TEST(ThreadScheme, stack_walking_looks_at_no_call) {
  Thread t(with(Kind::kStackWalk));
  EXPECT_EQ(t.scheme.tick(1, 5), Action::kSample);
  EXPECT_EQ(t.scheme.weight(6), 0);
}

TEST(ThreadScheme, a_static_burst_follows_every_tick_and_ends) {
  Thread t(with(Kind::kStatic));
  EXPECT_EQ(t.scheme.weight(0), 0);
  for (const std::uint64_t at : {std::uint64_t{50}, std::uint64_t{1050}}) {
    EXPECT_EQ(t.scheme.tick(1, at), Action::kBurst);
    EXPECT_EQ(t.scheme.weight(at), 1);
    EXPECT_EQ(t.scheme.weight(at + 99), 1);
    EXPECT_EQ(t.scheme.weight(at + 100), 0);
  }
  EXPECT_EQ(t.scheme.counts().bursts, 2U);
}

TEST(ThreadScheme, bursts_as_long_as_the_interval_leave_nothing_out) {
  Options options = with(Kind::kStatic);
  options.burst_ns = options.interval_ns;
  Thread t(options);
  EXPECT_TRUE(t.scheme.always());
  EXPECT_EQ(t.scheme.weight(0), 1) << "also before the first tick";
  EXPECT_EQ(calls_per_weight(options), 1);
  options = with(Kind::kAdaptive, options);
  EXPECT_FALSE(Thread(options).scheme.always()) << "it leaves out bursts";
}

TEST(ThreadScheme, an_adaptive_burst_is_not_repeated_without_reenabling) {
  Options options = with(Kind::kAdaptive);
  options.reenable = 0;
  Thread t(options);
  EXPECT_EQ(t.scheme.tick(1, 0), Action::kBurst);
  EXPECT_EQ(t.scheme.tick(2, 1000), Action::kBurst);
  for (std::uint64_t now = 2000; now < 1'000'000; now += 1000) ASSERT_EQ(t.scheme.tick(1, now), Action::kNone);
  EXPECT_EQ(t.scheme.counts().suppressed, 998U);
  EXPECT_EQ(t.scheme.counts().reenabled, 0U);
}

TEST(ThreadScheme, some_are_repeated_and_stand_for_the_others) {
  Options options = with(Kind::kAdaptive);
  options.reenable = 0.25;
  Thread t(options);
  EXPECT_EQ(t.scheme.tick(1, 0), Action::kBurst);
  EXPECT_EQ(t.scheme.weight(0), 1);
  double weight = 0;
  constexpr int kTicks = 10'000;
  for (int i = 1; i <= kTicks; ++i) {
    const std::uint64_t now = static_cast<std::uint64_t>(i) * 1000;
    if (t.scheme.tick(1, now) == Action::kBurst) {
      ASSERT_EQ(t.scheme.weight(now), 4);
    } else {
      ASSERT_EQ(t.scheme.weight(now), 0);
    }
    weight += t.scheme.weight(now);
  }
  EXPECT_NEAR(weight, kTicks, 4 * 2 * 100) << "four times the standard deviation or so";
  EXPECT_EQ(t.scheme.counts().reenabled + t.scheme.counts().suppressed, std::uint64_t{kTicks});
}

TEST(ThreadScheme, reenabling_all_is_static) {
  Options options = with(Kind::kAdaptive);
  options.reenable = 1;
  Thread adaptive(options), fixed(with(Kind::kStatic));
  for (std::uint64_t now = 0; now < 100'000; now += 777) {
    ASSERT_EQ(adaptive.scheme.tick(now % 3, now), fixed.scheme.tick(now % 3, now));
    ASSERT_EQ(adaptive.scheme.weight(now + 50), fixed.scheme.weight(now + 50));
  }
}

TEST(ThreadScheme, a_tick_within_a_burst_begins_it_anew) {
  Thread t(with(Kind::kStatic));
  t.scheme.tick(1, 0);
  t.scheme.tick(1, 60);
  EXPECT_EQ(t.scheme.weight(159), 1);
  EXPECT_EQ(t.scheme.weight(160), 0);
}

TEST(ThreadScheme, threads_have_random_numbers_of_their_own) {
  Options options = with(Kind::kAdaptive);
  options.reenable = 0.5;
  Thread a(options, 0), again(options, 0), b(options, 1);
  int different = 0;
  for (std::uint64_t now = 0; now < 200'000; now += 1000) {
    const Action action = a.scheme.tick(1, now);
    ASSERT_EQ(action, again.scheme.tick(1, now));
    different += action != b.scheme.tick(1, now);
  }
  EXPECT_GT(different, 50);
}

TEST(ThreadScheme, weights_become_calls_by_what_was_left_out) {
  EXPECT_EQ(calls_per_weight(with(Kind::kStatic)), 10);
  EXPECT_EQ(calls_per_weight(with(Kind::kAdaptive)), 10);
  EXPECT_EQ(calls_per_weight(with(Kind::kExhaustive)), 1);
  EXPECT_EQ(calls_per_weight(with(Kind::kStackWalk)), 1) << "samples are not calls";
}

}  // namespace
}  // namespace bursar::schemes
