#include "agent/call_watch.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

// One cycle is one nanosecond.
std::uint64_t g_cpu_ns = 0;
std::uint64_t cpu_clock() {
  return g_cpu_ns;
}

struct CallWatchTest : testing::Test {
  void begin(CallWatch& watch, std::uint32_t passed_by = 0) {
    g_cpu_ns = 1000;
    watch.begin({.time_ns = 7,
                 .ran_ns = 500,
                 .now = {.tsc = 10'000, .cpu_ns = g_cpu_ns, .cycles_per_ns = 1},
                 .passed_by = passed_by});
  }
  // The thread calls at `tsc`, and telling takes 50 cycles; it has had a processor all the time since the tick.
  static CallWatch::Look call(CallWatch& watch, std::uint64_t tsc) {
    constexpr std::uint64_t kTelling = 50;
    g_cpu_ns = 1000 + tsc - 10'000;
    const CallWatch::Look look = watch.called(tsc, cpu_clock);
    if (look == CallWatch::Look::kSample) watch.sample({.bci = static_cast<std::int64_t>(tsc)});
    if (look == CallWatch::Look::kNothing) return look;
    g_cpu_ns += kTelling;
    watch.left(tsc + kTelling, cpu_clock);
    return look;
  }
};

TEST_F(CallWatchTest, SeesNothingUnlessItHasAWindow) {
  CallWatch watch(2, 1);
  EXPECT_EQ(call(watch, 10'100), CallWatch::Look::kNothing);
  EXPECT_TRUE(watch.is_idle());
  EXPECT_EQ(watch.ended(), nullptr);
}

TEST_F(CallWatchTest, SamplesEveryStrideThCallAndKnowsWhatLiesBetweenThem) {
  CallWatch watch(2, 2);
  begin(watch);
  EXPECT_EQ(call(watch, 10'100), CallWatch::Look::kSample);
  EXPECT_EQ(call(watch, 10'350), CallWatch::Look::kPassBy);
  EXPECT_EQ(watch.ended(), nullptr);
  EXPECT_EQ(call(watch, 10'500), CallWatch::Look::kSample);
  const CallWindow* const window = watch.ended();
  ASSERT_NE(window, nullptr);
  EXPECT_TRUE(window->is_whole);
  EXPECT_EQ(window->samples.size(), 2U);
  EXPECT_EQ(window->calls, 2U);
  EXPECT_EQ(window->cycles, 200U + 100U);  // telling took the rest
  EXPECT_EQ(window->latency, 0U);
  EXPECT_EQ(window->cpu_ns, 550U);
  EXPECT_EQ(call(watch, 10'900), CallWatch::Look::kNothing);
  watch.release();
  EXPECT_TRUE(watch.is_idle());
}

TEST_F(CallWatchTest, PassesByTheFirstCalls) {
  CallWatch watch(1, 1);
  begin(watch, 2);
  EXPECT_EQ(call(watch, 10'100), CallWatch::Look::kPassBy);
  EXPECT_EQ(call(watch, 10'200), CallWatch::Look::kPassBy);
  EXPECT_EQ(call(watch, 10'300), CallWatch::Look::kSample);
}

TEST_F(CallWatchTest, WaitingBeforeTheFirstCallIsLatency) {
  CallWatch watch(1, 1);
  begin(watch);
  g_cpu_ns = 1100;  // of 5000 cycles it ran 100
  EXPECT_EQ(watch.called(15'000, cpu_clock), CallWatch::Look::kSample);
  watch.left(15'050, cpu_clock);
  EXPECT_EQ(watch.ended()->latency, 4900U);
}

TEST_F(CallWatchTest, WaitingBetweenCallsIsNotTheProgramRunning) {
  CallWatch watch(2, 1);
  begin(watch);
  call(watch, 10'100);
  g_cpu_ns = 1000 + 100 + 250;  // of 10,000 cycles to the next call it ran 250, 50 of them to tell
  ASSERT_EQ(watch.called(20'100, cpu_clock), CallWatch::Look::kSample);
  watch.left(20'150, cpu_clock);
  EXPECT_NEAR(static_cast<double>(watch.ended()->cycles), 200, 5);
}

TEST_F(CallWatchTest, WaitingComesOffTheStretchItWasIn) {
  CallWatch in_program(4, 1), in_telling(4, 1);
  begin(in_program);
  call(in_program, 10'100);
  call(in_program, 10'250);
  // It waits 100,000 cycles, runs for 100, and goes on.
  const auto cpu_at = [](std::uint64_t tsc) { g_cpu_ns = 1000 + tsc - 110'000; };
  for (const std::uint64_t tsc : {110'400ULL, 110'550ULL}) {
    cpu_at(tsc);
    ASSERT_EQ(in_program.called(tsc, cpu_clock), CallWatch::Look::kSample);
    cpu_at(tsc + 50);
    in_program.left(tsc + 50, cpu_clock);
  }
  ASSERT_NE(in_program.ended(), nullptr);
  EXPECT_NEAR(static_cast<double>(in_program.ended()->cycles), 100 + 100 + 100, 50 + 1);  // the last telling is not known

  begin(in_telling);
  call(in_telling, 10'100);
  ASSERT_EQ(in_telling.called(10'250, cpu_clock), CallWatch::Look::kSample);
  in_telling.left(110'300, cpu_clock);
  for (const std::uint64_t tsc : {110'400ULL, 110'550ULL}) {
    cpu_at(tsc);
    ASSERT_EQ(in_telling.called(tsc, cpu_clock), CallWatch::Look::kSample);
    cpu_at(tsc + 50);
    in_telling.left(tsc + 50, cpu_clock);
  }
  ASSERT_NE(in_telling.ended(), nullptr);
  EXPECT_NEAR(static_cast<double>(in_telling.ended()->cycles), 100 + 100 + 100, 50 + 1);
}

TEST_F(CallWatchTest, AWindowThatIsTakenBackEndsWithWhatItHas) {
  CallWatch watch(10, 1);
  begin(watch);
  call(watch, 10'100);
  EXPECT_TRUE(watch.take_back(12'150, 1000 + 2150));
  const CallWindow* const window = watch.ended();
  ASSERT_NE(window, nullptr);
  EXPECT_FALSE(window->is_whole);
  EXPECT_EQ(window->samples.size(), 1U);
  EXPECT_EQ(window->cycles, 2000U);  // since the last call
  EXPECT_EQ(call(watch, 12'300), CallWatch::Look::kNothing);
}

TEST_F(CallWatchTest, IsNotTakenBackWhileTheThreadIsAtWorkOnIt) {
  CallWatch watch(10, 1);
  begin(watch);
  g_cpu_ns = 1100;
  ASSERT_EQ(watch.called(10'100, cpu_clock), CallWatch::Look::kSample);
  EXPECT_FALSE(watch.take_back(10'120, 1120));
  watch.left(10'150, cpu_clock);
  EXPECT_TRUE(watch.take_back(10'200, 1200));
}

}  // namespace
}  // namespace bursar::agent
