#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>

#include "agent/clocks.h"
#include "agent/tick_thread.h"

namespace bursar::agent {
namespace {

TEST(TickThread, ticks_until_it_is_stopped_and_can_start_again) {
  TickThread thread;
  for (int round = 0; round < 2; ++round) {
    std::atomic<int> ticks = 0;
    std::atomic<std::uint64_t> last_ns = 0;
    ASSERT_TRUE(thread.start({.interval_ns = 1'000'000}, [&](std::uint64_t now_ns) {
      EXPECT_GT(now_ns, last_ns);
      last_ns = now_ns;
      ++ticks;
    }));
    EXPECT_TRUE(thread.is_running());
    for (int i = 0; i < 1000 && ticks < 20; ++i) usleep(1000);
    thread.stop();
    EXPECT_FALSE(thread.is_running());
    const int seen = ticks;
    EXPECT_GE(seen, 20);
    EXPECT_GT(thread.cpu_ns(), 0U);
    usleep(5000);
    EXPECT_EQ(ticks, seen);
  }
}

TEST(TickThread, stops_at_once_however_long_the_interval) {
  TickThread thread;
  ASSERT_TRUE(thread.start({.interval_ns = 10'000'000'000, .jitter = 0}, [](std::uint64_t) {}));
  usleep(1000);
  const std::uint64_t before = monotonic_ns();
  thread.stop();
  EXPECT_LT(monotonic_ns() - before, 5'000'000'000U);
}

TEST(TickThread, ticks_that_come_too_late_are_counted) {
  TickThread thread;
  std::atomic<int> ticks = 0;
  const std::uint64_t before = monotonic_ns();
  ASSERT_TRUE(thread.start({.interval_ns = 1'000'000, .jitter = 0}, [&](std::uint64_t) {
    if (++ticks == 1) usleep(30'000);
  }));
  for (int i = 0; i < 1000 && ticks < 3; ++i) usleep(1000);
  thread.stop();
  const std::uint64_t intervals = (monotonic_ns() - before) / 1'000'000;
  EXPECT_GE(thread.left_out(), 28U);
  EXPECT_LE(static_cast<std::uint64_t>(ticks) + thread.left_out(), intervals + 1);
  ASSERT_TRUE(thread.start({.interval_ns = 1'000'000'000}, [](std::uint64_t) {}));
  EXPECT_EQ(thread.left_out(), 0U);
  thread.stop();
}

TEST(TickThread, takes_no_signals) {
  TickThread thread;
  std::atomic<int> blocked = -1;
  ASSERT_TRUE(thread.start({.interval_ns = 1'000'000}, [&](std::uint64_t) {
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    blocked = sigismember(&mask, SIGTERM);
  }));
  for (int i = 0; i < 1000 && blocked < 0; ++i) usleep(1000);
  thread.stop();
  EXPECT_EQ(blocked, 1);
}

TEST(Clocks, of_threads_and_process_go_forward) {
  const auto before = thread_cpu_ns(own_thread_id());
  ASSERT_TRUE(before);
  const std::uint64_t own = own_cpu_ns(), process = process_cpu_ns();
  while (own_cpu_ns() < own + 1'000'000) {
  }
  EXPECT_GE(*thread_cpu_ns(own_thread_id()), *before + 1'000'000);
  EXPECT_GE(process_cpu_ns(), process + 1'000'000);
  EXPECT_FALSE(thread_cpu_ns(4'190'000));
  const std::vector<pid_t> all = all_thread_ids();
  EXPECT_NE(std::find(all.begin(), all.end(), own_thread_id()), all.end());
}

}  // namespace
}  // namespace bursar::agent
