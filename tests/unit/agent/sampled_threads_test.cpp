#include "agent/sampled_threads.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace bursar::agent {
namespace {

using Sent = SamplingSignal::Sent;

std::map<pid_t, std::uint64_t> g_cpu_ns;
std::size_t g_looks = 0;

std::optional<std::uint64_t> cpu_of(pid_t thread) {
  ++g_looks;
  const auto at = g_cpu_ns.find(thread);
  return at != g_cpu_ns.end() ? std::optional(at->second) : std::nullopt;
}

class SampledThreadsTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(exchange_.map());
    threads_.reset({.kind = schemes::Kind::kStackWalk});
    g_cpu_ns.clear();
    g_looks = 0;
  }
  void add(pid_t thread) {
    g_cpu_ns[thread] = 1'000'000;
    threads_.add(thread);
  }
  void run(pid_t thread, std::uint64_t ns = 5'000'000) { g_cpu_ns[thread] += ns; }
  // Every thread answers at once.
  std::set<pid_t> tick() {
    std::set<pid_t> asked;
    last_ = threads_.tick(0, [&](pid_t thread, WalkExchange::Ticket ticket) {
      EXPECT_TRUE(asked.insert(thread).second) << "twice in a tick";
      const WalkExchange::Held held = exchange_.begin(ticket);
      EXPECT_NE(held.walk, nullptr);
      exchange_.end(held);
      return Sent::kYes;
    });
    exchange_.drain([&](const Walk& walk) { numbers_.insert(walk.thread); });
    return asked;
  }

  WalkExchange exchange_;
  SampledThreads threads_{exchange_, cpu_of};
  SampledThreads::Tick last_;
  std::set<SampledThreads::Number> numbers_;
};

TEST_F(SampledThreadsTest, only_those_that_ran_are_asked) {
  for (const pid_t thread : {1, 2, 3}) add(thread);
  EXPECT_TRUE(tick().empty()) << "what was before is not of this recording";
  run(2);
  EXPECT_EQ(tick(), std::set<pid_t>{2});
  EXPECT_TRUE(tick().empty());
  run(1);
  run(3);
  EXPECT_EQ(tick(), (std::set<pid_t>{1, 3}));
}

TEST_F(SampledThreadsTest, the_time_that_an_answer_takes_is_no_reason_to_ask_again) {
  add(1);
  run(1, SampledThreads::kLeastRunNs - 1);
  EXPECT_TRUE(tick().empty());
  run(1, 1);
  EXPECT_EQ(tick(), std::set<pid_t>{1}) << "short runs add up";
}

TEST_F(SampledThreadsTest, a_thread_that_ended_is_not_asked_and_has_its_name) {
  add(1);
  add(2);
  run(1);
  tick();
  threads_.remove(1, "one");
  threads_.remove(2, "two");
  threads_.remove(3, "unknown");
  run(1);
  EXPECT_TRUE(tick().empty());
  const auto ended = threads_.take_ended();
  ASSERT_EQ(ended.size(), 1U) << "who was never sampled needs no name";
  EXPECT_EQ(ended[0].second, "one");
  EXPECT_EQ(ended[0].first, *numbers_.begin());
  EXPECT_TRUE(threads_.take_ended().empty());
}

TEST_F(SampledThreadsTest, a_signal_to_a_thread_that_ends_is_void) {
  add(1);
  run(1);
  WalkExchange::Ticket sent = 0;
  threads_.tick(0, [&](pid_t, WalkExchange::Ticket ticket) {
    sent = ticket;
    return Sent::kYes;
  });
  ASSERT_NE(sent, 0U);
  threads_.remove(1, "one");
  EXPECT_EQ(exchange_.begin(sent).walk, nullptr);
}

TEST_F(SampledThreadsTest, one_signal_at_a_time) {
  add(1);
  run(1);
  const auto send = [](pid_t, WalkExchange::Ticket) { return Sent::kYes; };
  EXPECT_EQ(threads_.tick(0, send).sent, 1U);
  run(1);
  const SampledThreads::Tick second = threads_.tick(0, send);
  EXPECT_EQ(second.sent, 0U);
  EXPECT_EQ(second.unanswered, 1U);
}

TEST_F(SampledThreadsTest, refusals_are_counted_and_leave_no_queue_taken) {
  add(1);
  for (std::uint32_t i = 0; i < 2 * WalkExchange::kQueues; ++i) {
    run(1);
    const SampledThreads::Tick tick = threads_.tick(0, [](pid_t, WalkExchange::Ticket) { return Sent::kRefused; });
    ASSERT_EQ(tick.refused, 1U);
    ASSERT_EQ(tick.no_queue, 0U);
  }
}

TEST_F(SampledThreadsTest, without_a_queue_nobody_is_asked) {
  const WalkExchange::Desk greedy = exchange_.open(1000);
  for (;;) {
    const WalkExchange::Ticket ticket = exchange_.ask(greedy);
    if (ticket == 0) break;
    const WalkExchange::Held held = exchange_.begin(ticket);
    held.walk->frames = kMaxFrames + 1;
    exchange_.end(held);
  }
  add(1);
  run(1);
  EXPECT_TRUE(tick().empty());
  EXPECT_EQ(last_.no_queue, 1U);
}

TEST_F(SampledThreadsTest, by_wall_clock_time_all_are_asked_in_turn) {
  threads_.reset({.kind = schemes::Kind::kStackWalk}, SampleClock::kWall);
  constexpr pid_t kThreads = 20;
  for (pid_t thread = 1; thread <= kThreads; ++thread) add(thread);
  std::map<pid_t, int> asked;
  for (int i = 0; i < 50; ++i) {
    const std::set<pid_t> now = tick();
    EXPECT_EQ(now.size(), SampledThreads::kMostAtATime);
    for (const pid_t thread : now) ++asked[thread];
  }
  EXPECT_EQ(asked.size(), static_cast<std::size_t>(kThreads));
  for (const auto& [thread, times] : asked) EXPECT_EQ(times, 20) << thread;
}

TEST_F(SampledThreadsTest, what_was_sent_can_be_withdrawn_and_the_names_are_kept) {
  add(1);
  run(1);
  WalkExchange::Ticket sent = 0;
  threads_.tick(0, [&](pid_t, WalkExchange::Ticket ticket) {
    sent = ticket;
    return Sent::kYes;
  });
  threads_.withdraw_all();
  EXPECT_EQ(exchange_.begin(sent).walk, nullptr);
  EXPECT_EQ(exchange_.counts().voided, 1U);
  threads_.remove(1, "one");
  EXPECT_EQ(threads_.take_ended().size(), 1U);
}

TEST_F(SampledThreadsTest, a_forgotten_thread_may_come_again_under_a_new_number) {
  add(1);
  run(1);
  tick();
  ASSERT_EQ(numbers_.size(), 1U);
  threads_.forget(*numbers_.begin());
  run(1);
  EXPECT_TRUE(tick().empty());
  EXPECT_TRUE(threads_.add(1));
  EXPECT_FALSE(threads_.add(1));
  run(1);
  EXPECT_EQ(tick(), std::set<pid_t>{1});
  EXPECT_EQ(numbers_.size(), 2U);
}

TEST_F(SampledThreadsTest, a_tick_costs_a_bounded_number_of_looks) {
  for (pid_t thread = 1; thread <= 1000; ++thread) add(thread);
  g_looks = 0;
  tick();
  EXPECT_LE(g_looks, SampledThreads::kMaxLooks);
  // Those that run are looked at every time, whoever else waits.
  const std::set<pid_t> busy = {10, 500, 990};
  for (int i = 0; i < 12; ++i) {
    g_looks = 0;
    for (const pid_t thread : busy) run(thread);
    const std::set<pid_t> asked = tick();
    EXPECT_LE(g_looks, SampledThreads::kMaxLooks);
    if (i < 8) continue;  // until each of them has had its turn
    EXPECT_EQ(asked, busy);
  }
}

TEST_F(SampledThreadsTest, of_more_than_can_be_looked_at_each_has_its_turn) {
  constexpr pid_t kThreads = 300;
  for (pid_t thread = 1; thread <= kThreads; ++thread) add(thread);
  std::map<pid_t, int> asked;
  for (int i = 0; i < 30; ++i) {
    for (pid_t thread = 1; thread <= kThreads; ++thread) run(thread);
    for (const pid_t thread : tick()) ++asked[thread];
  }
  EXPECT_EQ(asked.size(), static_cast<std::size_t>(kThreads));
  for (const auto& [thread, times] : asked) EXPECT_GE(times, 5) << thread;
}

}  // namespace
}  // namespace bursar::agent
