#include "agent/stack_slots.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace bursar::agent {
namespace {

class StackSlotsTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(slots_.map()); }
  std::vector<std::uint32_t> drained() {
    std::vector<std::uint32_t> threads;
    slots_.drain([&](const Walk& walk) { threads.push_back(walk.thread); });
    return threads;
  }

  StackSlots slots_;
};

TEST_F(StackSlotsTest, without_memory_there_are_no_slots) {
  StackSlots unmapped;
  EXPECT_EQ(unmapped.claim(1), 0U);
  EXPECT_EQ(unmapped.begin(1), nullptr);
  EXPECT_FALSE(unmapped.withdraw(1));
}

TEST_F(StackSlotsTest, a_slot_goes_round) {
  const StackSlots::Ticket ticket = slots_.claim(7);
  ASSERT_NE(ticket, 0U);
  EXPECT_TRUE(slots_.is_pending(ticket));
  EXPECT_TRUE(drained().empty());
  Walk* const walk = slots_.begin(ticket);
  ASSERT_NE(walk, nullptr);
  EXPECT_FALSE(slots_.is_pending(ticket));
  EXPECT_FALSE(slots_.withdraw(ticket)) << "its handler is at it";
  EXPECT_TRUE(drained().empty());
  slots_.end(ticket);
  EXPECT_EQ(drained(), std::vector<std::uint32_t>{7});
  EXPECT_TRUE(drained().empty());
}

TEST_F(StackSlotsTest, a_late_signal_finds_its_ticket_void) {
  const StackSlots::Ticket ticket = slots_.claim(7);
  EXPECT_TRUE(slots_.withdraw(ticket));
  EXPECT_FALSE(slots_.withdraw(ticket));
  EXPECT_EQ(slots_.begin(ticket), nullptr);
  // Whoever has the slot by then.
  std::vector<StackSlots::Ticket> others;
  for (std::uint32_t i = 0; i < StackSlots::kSlots; ++i) others.push_back(slots_.claim(i));
  EXPECT_EQ(slots_.begin(ticket), nullptr);
  EXPECT_FALSE(slots_.is_pending(ticket));
  for (const StackSlots::Ticket other : others) EXPECT_TRUE(slots_.is_pending(other));
}

TEST_F(StackSlotsTest, a_signal_answers_once) {
  const StackSlots::Ticket ticket = slots_.claim(7);
  ASSERT_NE(slots_.begin(ticket), nullptr);
  EXPECT_EQ(slots_.begin(ticket), nullptr);
}

TEST_F(StackSlotsTest, when_all_are_taken_there_is_none) {
  std::set<StackSlots::Ticket> tickets;
  for (std::uint32_t i = 0; i < StackSlots::kSlots; ++i) tickets.insert(slots_.claim(i));
  EXPECT_EQ(tickets.size(), StackSlots::kSlots);
  EXPECT_FALSE(tickets.contains(0));
  EXPECT_EQ(slots_.claim(1000), 0U);
  EXPECT_TRUE(slots_.withdraw(*tickets.begin()));
  EXPECT_NE(slots_.claim(1000), 0U);
}

TEST_F(StackSlotsTest, foreign_tickets_are_worth_nothing) {
  for (const std::uint64_t ticket : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xffff}, ~std::uint64_t{0}}) {
    EXPECT_EQ(slots_.begin(ticket), nullptr);
    EXPECT_FALSE(slots_.withdraw(ticket));
  }
}

// A ticker, handlers and a drainer at the same time: every walk that was begun comes out once, whole.
TEST_F(StackSlotsTest, parties_at_the_same_time_lose_nothing) {
  constexpr std::uint32_t kRounds = 20'000;
  std::atomic<StackSlots::Ticket> on_the_way[2] = {0, 0};
  std::atomic<bool> done = false;
  std::atomic<std::uint64_t> begun = 0, taken = 0, broken = 0;
  std::vector<std::thread> handlers;
  for (auto& mailbox : on_the_way) {
    handlers.emplace_back([&] {
      while (!done) {
        const StackSlots::Ticket ticket = mailbox.exchange(0);
        if (ticket == 0) continue;
        Walk* const walk = slots_.begin(ticket);
        if (walk == nullptr) continue;
        walk->frames = static_cast<std::int32_t>(walk->thread);
        walk->frame[0].bci = walk->frames;
        ++begun;
        slots_.end(ticket);
      }
    });
  }
  std::thread drainer([&] {
    bool last = false;
    do {
      last = done;
      slots_.drain([&](const Walk& walk) {
        ++taken;
        if (walk.frames != static_cast<std::int32_t>(walk.thread) || walk.frame[0].bci != walk.frames) ++broken;
      });
    } while (!last);
  });
  std::mt19937 random(3);
  for (std::uint32_t i = 0; i < kRounds; ++i) {
    const StackSlots::Ticket ticket = slots_.claim(i);
    if (ticket == 0) continue;
    const StackSlots::Ticket unread = on_the_way[random() % 2].exchange(ticket);
    if (unread != 0) slots_.withdraw(unread);
  }
  done = true;
  for (std::thread& handler : handlers) handler.join();
  drainer.join();
  slots_.drain([&](const Walk&) { ++taken; });
  EXPECT_EQ(taken, begun);
  EXPECT_EQ(broken, 0U);
}

}  // namespace
}  // namespace bursar::agent
