#include <gtest/gtest.h>

#include <algorithm>

#include "agent/seen_stacks.h"
#include "unit/agent/fake_vm.h"

namespace bursar::agent {
namespace {

// A thread of compiled frames, all of one size and one method each, whose stack is walked now and then.
class SeenStacksTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kFrameWords = 4;
  void SetUp() override {
    ASSERT_TRUE(seen_.map());
    compiled_ = vm_.add_blob("nmethod", kFrameWords);
  }
  // Frames are numbered, and the number is the method that a walk finds in them.
  void call() {
    stack_.call_compiled(numbers_.empty() ? 1 : compiled_ + 16, kFrameWords, random_);
    numbers_.push_back(++next_);
  }
  void give_back() {
    stack_.pop();
    numbers_.pop_back();
  }
  SeenStacks::Look look(std::uint32_t desk = 1, std::uint32_t thread = 1) {
    const Registers registers = stack_.at(compiled_ + 16);
    return seen_.look(desk, thread, FrameChain(*code_, registers, stack_.base(), false), registers.sp, stack_.base());
  }
  // Walks as far as it is new, and remembers that.
  bool walk(const SeenStacks::Look& look, std::uint32_t desk = 1, std::uint32_t thread = 1) {
    Walk walk;
    walk.thread = thread;
    walk.sequence = ++sequence_;
    std::vector<RawFrame> frames;
    for (std::size_t i = numbers_.size(); i-- > 0;) {
      frames.push_back({0, reinterpret_cast<void*>(numbers_[i])});  // NOLINT(performance-no-int-to-ptr)
    }
    walk.frames = static_cast<std::int32_t>(look.found ? look.depth : frames.size());
    walk.frame = frames.data();
    return seen_.remember(look, desk, walk, look.found ? look.outside : 0, stack_.at(0).sp, stack_.base());
  }

  FakeVm vm_;
  Address compiled_ = 0;
  std::optional<VmCode> code_{vm_.layout()};
  std::minstd_rand random_{9};
  FakeStack stack_{1 << 14};
  SeenStacks seen_;
  std::vector<std::uint64_t> numbers_;
  std::uint64_t next_ = 0, sequence_ = 0;
};

TEST_F(SeenStacksTest, the_first_walk_has_seen_nothing) {
  for (int i = 0; i < 5; ++i) call();
  const SeenStacks::Look first = look();
  EXPECT_TRUE(first.is_known);
  EXPECT_FALSE(first.found);
  EXPECT_EQ(first.depth, 5U);
  EXPECT_EQ(first.unseen, 5U);
}

TEST_F(SeenStacksTest, what_did_not_change_was_seen) {
  for (int i = 0; i < 5; ++i) call();
  ASSERT_TRUE(walk(look()));
  const SeenStacks::Look second = look();
  EXPECT_TRUE(second.found);
  EXPECT_EQ(second.unseen, 0U);
  EXPECT_EQ(second.depth, 1U);
  EXPECT_EQ(second.outside, 4U);
  EXPECT_EQ(second.sequence, sequence_);
  EXPECT_EQ(FakeVm::address(static_cast<char*>(second.root)), numbers_.back());
}

TEST_F(SeenStacksTest, a_word_of_the_caller_that_changed_makes_a_new_activation) {
  for (int i = 0; i < 5; ++i) call();
  ASSERT_TRUE(walk(look()));
  // In the frame of the third: it has called the fourth anew.
  stack_.word(stack_.frames()[3].return_slot + 8) += 1;
  const SeenStacks::Look second = look();
  EXPECT_TRUE(second.found);
  EXPECT_EQ(second.unseen, 2U) << "the fourth and what it called";
  EXPECT_EQ(second.outside, 2U);
}

TEST_F(SeenStacksTest, words_of_its_own_may_change) {
  for (int i = 0; i < 5; ++i) call();
  ASSERT_TRUE(walk(look()));
  stack_.word(stack_.at(0).sp) += 1;
  EXPECT_EQ(look().unseen, 0U);
}

TEST_F(SeenStacksTest, threads_and_desks_are_kept_apart) {
  for (int i = 0; i < 5; ++i) call();
  ASSERT_TRUE(walk(look()));
  EXPECT_FALSE(look(2).found) << "another desk";
  EXPECT_FALSE(look(1, 7).found) << "another thread at the desk";
  EXPECT_FALSE(look().found) << "which was forgotten for it";
  EXPECT_FALSE(look(SeenStacks::kThreads + 1).is_known);
  EXPECT_FALSE(look(0).is_known);
}

TEST_F(SeenStacksTest, a_walk_that_found_less_than_there_are_is_not_remembered) {
  for (int i = 0; i < 5; ++i) call();
  const SeenStacks::Look first = look();
  numbers_.resize(3);
  EXPECT_FALSE(walk(first));
  numbers_.resize(5);
  EXPECT_FALSE(look().found);
}

// Against frames that know who they are: numbers that no two frames share.
TEST_F(SeenStacksTest, random_calls_and_returns_are_told_apart) {
  std::vector<std::uint64_t> last;
  std::uint64_t found = 0;
  for (int round = 0; round < 3000; ++round) {
    for (auto steps = random_() % 12; steps > 0; --steps) {
      if (!numbers_.empty() && random_() % 5 < 2 && numbers_.size() > 1) {
        give_back();
        // Something in the caller tells that it has the result.
        stack_.word(stack_.at(0).sp) = random_();
      } else if (numbers_.size() < 1000) {
        call();
      }
    }
    if (numbers_.empty()) continue;
    const SeenStacks::Look now = look();
    ASSERT_TRUE(now.is_known);
    const auto common = static_cast<std::size_t>(
        std::mismatch(numbers_.begin(), numbers_.end(), last.begin(), last.end()).first - numbers_.begin());
    if (common == 0) {
      EXPECT_FALSE(now.found);
    } else {
      // The innermost that both have; one whose caller had a word changed that is not its own is taken for new.
      ASSERT_TRUE(now.found);
      EXPECT_EQ(now.unseen + 1 + now.outside, numbers_.size());
      EXPECT_EQ(now.outside + 1, common);
      EXPECT_EQ(FakeVm::address(static_cast<char*>(now.root)), numbers_[common - 1]);
      ++found;
    }
    ASSERT_TRUE(walk(now));
    last = numbers_;
  }
  EXPECT_GT(found, 1000U);
}

}  // namespace
}  // namespace bursar::agent
