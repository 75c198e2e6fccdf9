#include <gtest/gtest.h>

#include <atomic>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "agent/walk_exchange.h"

namespace bursar::agent {
namespace {

class WalkExchangeTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(exchange_.map()); }
  // The thread answers with a stack of so many frames.
  bool answer(WalkExchange::Ticket ticket, std::int32_t frames = 3) {
    const WalkExchange::Held held = exchange_.begin(ticket);
    if (held.walk == nullptr) return false;
    held.walk->frames = frames;
    for (std::int32_t i = 0; i < frames; ++i) held.walk->frame[i].bci = frames;
    exchange_.end(held);
    return true;
  }
  bool walk(WalkExchange::Desk desk, std::int32_t frames = 3) {
    const WalkExchange::Ticket ticket = exchange_.ask(desk);
    return ticket != 0 && answer(ticket, frames);
  }
  std::vector<std::uint32_t> drained() {
    std::vector<std::uint32_t> threads;
    exchange_.drain([&](const Walk& walk) { threads.push_back(walk.thread); });
    return threads;
  }

  WalkExchange exchange_;
};

TEST_F(WalkExchangeTest, without_memory_there_is_nothing) {
  WalkExchange unmapped;
  EXPECT_EQ(unmapped.open(1), 0U);
  EXPECT_EQ(unmapped.ask(1), 0U);
  EXPECT_EQ(unmapped.begin(1).walk, nullptr);
  unmapped.close(1);
  unmapped.drain([](const Walk&) { FAIL(); });
}

TEST_F(WalkExchangeTest, a_walk_goes_round) {
  const WalkExchange::Desk desk = exchange_.open(7);
  const WalkExchange::Ticket ticket = exchange_.ask(desk);
  ASSERT_NE(ticket, 0U);
  EXPECT_TRUE(exchange_.is_asked(desk));
  const WalkExchange::Held held = exchange_.begin(ticket);
  ASSERT_NE(held.walk, nullptr);
  EXPECT_FALSE(exchange_.is_asked(desk));
  EXPECT_EQ(exchange_.walking(), 1U);
  EXPECT_TRUE(drained().empty()) << "its handler is at it";
  exchange_.end(held);
  EXPECT_EQ(exchange_.walking(), 0U);
  EXPECT_EQ(drained(), std::vector<std::uint32_t>{7});
  EXPECT_TRUE(drained().empty());
}

TEST_F(WalkExchangeTest, a_signal_answers_once) {
  const WalkExchange::Ticket ticket = exchange_.ask(exchange_.open(7));
  EXPECT_TRUE(answer(ticket));
  EXPECT_FALSE(answer(ticket));
}

TEST_F(WalkExchangeTest, a_late_signal_finds_its_ticket_void) {
  const WalkExchange::Desk desk = exchange_.open(7);
  const WalkExchange::Ticket ticket = exchange_.ask(desk);
  exchange_.close(desk);
  EXPECT_EQ(exchange_.counts().voided, 1U);
  EXPECT_FALSE(answer(ticket));
  ASSERT_EQ(exchange_.open(8), desk) << "whoever has the desk by then";
  EXPECT_NE(exchange_.ask(desk), ticket);
  EXPECT_FALSE(answer(ticket));
  EXPECT_TRUE(exchange_.is_asked(desk));
}

TEST_F(WalkExchangeTest, foreign_tickets_are_worth_nothing) {
  exchange_.open(1);
  for (const std::uint64_t ticket : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffff}, ~std::uint64_t{0}}) {
    EXPECT_FALSE(answer(ticket));
  }
}

TEST_F(WalkExchangeTest, ten_walks_are_a_full_queue_and_the_spare_one_is_next) {
  const WalkExchange::Desk desk = exchange_.open(7);
  for (std::uint32_t i = 0; i < WalkQueue::kLength - 1; ++i) ASSERT_TRUE(walk(desk));
  EXPECT_FALSE(exchange_.has_full());
  ASSERT_TRUE(walk(desk));
  EXPECT_TRUE(exchange_.has_full());
  EXPECT_EQ(exchange_.counts().full, 1U);
  ASSERT_TRUE(walk(desk));
  EXPECT_EQ(drained().size(), WalkQueue::kLength + 1);
  EXPECT_FALSE(exchange_.has_full());
}

TEST_F(WalkExchangeTest, two_of_the_deepest_stacks_fill_a_queue) {
  const WalkExchange::Desk desk = exchange_.open(7);
  ASSERT_TRUE(walk(desk, kMaxFrames + 1));
  EXPECT_FALSE(exchange_.has_full());
  ASSERT_TRUE(walk(desk, kMaxFrames + 1));
  EXPECT_TRUE(exchange_.has_full());
  exchange_.drain([](const Walk& walk) { EXPECT_EQ(walk.frame[kMaxFrames].bci, std::int32_t{kMaxFrames + 1}); });
}

TEST_F(WalkExchangeTest, with_both_queues_full_a_desk_gets_another_while_there_are_any) {
  const WalkExchange::Desk desk = exchange_.open(7);
  std::size_t walks = 0;
  while (walk(desk, kMaxFrames + 1)) ++walks;
  EXPECT_EQ(walks, 2 * WalkExchange::kQueues);
  EXPECT_EQ(drained().size(), walks);
  EXPECT_TRUE(walk(desk)) << "they came back";
}

TEST_F(WalkExchangeTest, a_walk_that_finds_no_queue_is_dropped_and_counted) {
  const WalkExchange::Desk desk = exchange_.open(7);
  ASSERT_TRUE(walk(desk));
  // Asked, and before it answers the drainer has taken all it has: its spare one it lent to others.
  for (std::uint32_t i = 0; i < WalkQueue::kLength; ++i) ASSERT_TRUE(walk(desk));
  const WalkExchange::Ticket ticket = exchange_.ask(desk);
  int answered = 0;
  exchange_.drain([&](const Walk&) { answered += answer(ticket) ? 1 : 0; });
  EXPECT_EQ(answered, 0);
  EXPECT_EQ(exchange_.counts().dropped, 1U);
  exchange_.clear_counts();
  EXPECT_EQ(exchange_.counts().dropped, 0U);
  EXPECT_TRUE(walk(desk)) << "they came back";
}

TEST_F(WalkExchangeTest, while_the_drainer_has_a_queue_the_thread_has_another) {
  const WalkExchange::Desk desk = exchange_.open(7);
  ASSERT_TRUE(walk(desk));
  exchange_.drain([&](const Walk&) { EXPECT_TRUE(exchange_.begin(exchange_.ask(desk)).walk != nullptr); });
  EXPECT_EQ(exchange_.counts().dropped, 0U);
}

TEST_F(WalkExchangeTest, queues_of_threads_that_are_gone_serve_new_ones) {
  // More threads than queues, one after the other.
  for (std::uint32_t thread = 0; thread < 3 * WalkExchange::kQueues; ++thread) {
    const WalkExchange::Desk desk = exchange_.open(thread);
    ASSERT_TRUE(walk(desk)) << thread;
    if (thread % 2 == 0) exchange_.close(desk);
    ASSERT_EQ(drained(), std::vector<std::uint32_t>{thread}) << "what it left is not lost";
    if (thread % 2 == 1) exchange_.close(desk);
  }
}

TEST_F(WalkExchangeTest, living_threads_that_wait_lend_their_queues) {
  // All of them live, and there are not enough queues for all.
  std::vector<WalkExchange::Desk> desks;
  constexpr std::uint32_t kThreads = 3 * WalkExchange::kQueues;
  for (std::uint32_t thread = 0; thread < kThreads; ++thread) desks.push_back(exchange_.open(thread));
  for (int round = 0; round < 2; ++round) {
    std::set<std::uint32_t> seen;
    for (std::uint32_t thread = 0; thread < kThreads; ++thread) {
      ASSERT_TRUE(walk(desks[thread])) << thread;
      if (thread % 64 != 0) continue;
      for (const std::uint32_t number : drained()) EXPECT_TRUE(seen.insert(number).second);
    }
    for (const std::uint32_t number : drained()) EXPECT_TRUE(seen.insert(number).second);
    EXPECT_EQ(seen.size(), kThreads);
  }
}

// Against a deque for each thread: all walks come out once, those of a thread in their order.
TEST_F(WalkExchangeTest, random_use_loses_nothing_and_keeps_the_order) {
  std::minstd_rand random(5);
  std::map<std::uint32_t, WalkExchange::Desk> open;
  std::map<std::uint32_t, std::deque<std::int32_t>> expected;
  std::uint32_t next_thread = 0;
  std::uint64_t walks = 0;
  const auto drain = [&] {
    exchange_.drain([&](const Walk& walk) {
      auto& left = expected[walk.thread];
      ASSERT_FALSE(left.empty());
      ASSERT_EQ(walk.frames, left.front());
      left.pop_front();
      --walks;
    });
  };
  for (int i = 0; i < 20'000; ++i) {
    const auto what = random() % 20;
    if (open.empty() || what == 0) {
      open[next_thread] = exchange_.open(next_thread);
      ++next_thread;
    } else if (what == 1) {
      exchange_.close(open.begin()->second);
      open.erase(open.begin());
    } else if (what == 2) {
      drain();
      ASSERT_EQ(walks, 0U);
    } else {
      auto at = open.begin();
      std::advance(at, static_cast<long>(random() % open.size()));
      const auto frames = static_cast<std::int32_t>(1 + random() % 400);
      ASSERT_TRUE(walk(at->second, frames));
      expected[at->first].push_back(frames);
      ++walks;
    }
  }
  drain();
  EXPECT_EQ(walks, 0U);
}

// A ticker, handlers and a drainer at the same time: every walk that was begun comes out once, whole.
TEST_F(WalkExchangeTest, parties_at_the_same_time_lose_nothing) {
  constexpr std::uint32_t kRounds = 20'000, kHandlers = 2;
  std::atomic<WalkExchange::Ticket> on_the_way[kHandlers] = {0, 0};
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> begun = 0, taken = 0, broken = 0;
  std::vector<std::thread> handlers;
  for (auto& mailbox : on_the_way) {
    handlers.emplace_back([&] {
      while (!done) {
        const WalkExchange::Ticket ticket = mailbox.exchange(0);
        if (ticket == 0) continue;
        if (answer(ticket, 5)) ++begun;
      }
    });
  }
  std::thread drainer([&] {
    bool last = false;
    do {
      last = done;
      exchange_.drain([&](const Walk& walk) {
        ++taken;
        if (walk.frames != 5 || walk.frame[4].bci != 5) ++broken;
      });
    } while (!last);
  });
  std::minstd_rand random(3);
  WalkExchange::Desk desks[kHandlers] = {exchange_.open(0), exchange_.open(1)};
  std::uint64_t void_or_answered = 0;
  for (std::uint32_t i = 0; i < kRounds; ++i) {
    const auto which = random() % kHandlers;
    if (random() % 16 == 0) {
      exchange_.close(desks[which]);
      desks[which] = exchange_.open(i);
    }
    if (exchange_.is_asked(desks[which])) continue;
    const WalkExchange::Ticket ticket = exchange_.ask(desks[which]);
    if (ticket == 0) continue;
    ++void_or_answered;
    on_the_way[which] = ticket;
  }
  done = true;
  for (std::thread& handler : handlers) handler.join();
  drainer.join();
  for (const WalkExchange::Desk desk : desks) exchange_.close(desk);
  exchange_.drain([&](const Walk&) { ++taken; });
  EXPECT_EQ(taken, begun);
  EXPECT_EQ(broken, 0U);
  EXPECT_EQ(void_or_answered, begun + exchange_.counts().dropped + exchange_.counts().voided);
}

}  // namespace
}  // namespace bursar::agent
