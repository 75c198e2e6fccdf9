#include "agent/walked_stack.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "unit/agent/fake_vm.h"

namespace bursar::agent {
namespace {

// A thread of compiled frames of one to five methods, and of interpreted ones; the VM knows them all.
class WalkedStackTest : public testing::Test {
 protected:
  static constexpr std::uint64_t kFrameWords = 6;
  void SetUp() override { compiled_ = vm_.add_blob("nmethod", kFrameWords); }

  void call() {
    const Address from = at_.empty() ? 1 : at_.back().pc;
    Frame frame;
    if (random_() % 3 != 0) {
      frame.methods = 1 + random_() % FakeVm::kMostMethods;
      frame.pc = compiled_ + 16 * frame.methods;
      stack_.call_compiled(from, kFrameWords, random_);
    } else {
      frame.pc = vm_.interpreter();
      stack_.call_interpreted(from, random_() % 4, random_);
    }
    at_.push_back(frame);
    name_methods();
  }
  void give_back() {
    stack_.pop();
    at_.pop_back();
  }
  // The running frame goes on, and will make its next call from elsewhere.
  void go_on() {
    stack_.word(stack_.at(0).sp) = random_();
    if (at_.back().pc != vm_.interpreter()) {
      at_.back().methods = 1 + random_() % FakeVm::kMostMethods;
      at_.back().pc = compiled_ + 16 * at_.back().methods;
    }
    name_methods();
  }
  // Of the whole stack, the innermost first.
  std::vector<FrameInfo> truth() const {
    std::vector<FrameInfo> frames;
    for (const Frame& frame : at_) frames.insert(frames.begin(), frame.names.begin(), frame.names.end());
    return frames;
  }
  std::size_t walk(bool knows_place = true) {
    const auto ask = [this](std::span<FrameInfo> frames) {
      const std::vector<FrameInfo> all = truth();
      const std::size_t count = std::min(all.size(), frames.size());
      std::copy_n(all.begin(), count, frames.begin());
      asked_ += count;
      return count;
    };
    std::optional<WalkedStack::Place> place;
    if (knows_place) place = {stack_.at(at_.back().pc), stack_.base()};
    return walked_.walk(ask, &*code_, place);
  }
  void expect_truth() const {
    const std::vector<FrameInfo> all = truth();
    const auto walked = walked_.frames();
    ASSERT_EQ(walked.size(), all.size());
    EXPECT_TRUE(std::equal(walked.rbegin(), walked.rend(), all.begin(), [](const FrameInfo& a, const FrameInfo& b) {
      return a.method == b.method && a.location == b.location;
    }));
  }

  struct Frame {
    Address pc = 0;
    std::size_t methods = 1;
    std::vector<FrameInfo> names{};  // the innermost first
  };
  void name_methods() {
    Frame& frame = at_.back();
    frame.names.clear();
    for (std::size_t i = 0; i < frame.methods; ++i) frame.names.push_back({nullptr, ++next_});
  }

  FakeVm vm_;
  Address compiled_ = 0;
  std::optional<VmCode> code_{vm_.layout()};
  std::minstd_rand random_{9};
  FakeStack stack_{1 << 14};
  WalkedStack walked_;
  std::vector<Frame> at_;  // the outermost first
  jlocation next_ = 0;
  std::size_t asked_ = 0;
};

TEST_F(WalkedStackTest, the_first_walk_asks_for_everything) {
  for (int i = 0; i < 5; ++i) call();
  EXPECT_EQ(walk(), 0U);
  expect_truth();
}

TEST_F(WalkedStackTest, a_walk_asks_for_what_is_new) {
  for (int i = 0; i < 50; ++i) call();
  walk();
  call();
  call();
  asked_ = 0;
  const std::size_t kept = walk();
  expect_truth();
  EXPECT_GT(kept, 40U);
  EXPECT_EQ(asked_, walked_.frames().size() - kept + 1) << "and one more, to be sure";
}

TEST_F(WalkedStackTest, without_a_place_nothing_is_taken_from_before) {
  for (int i = 0; i < 5; ++i) call();
  walk();
  EXPECT_EQ(walk(false), 0U);
  expect_truth();
  EXPECT_EQ(walk(), 0U);
  expect_truth();
}

TEST_F(WalkedStackTest, a_vm_that_counts_methods_otherwise_is_asked_for_everything) {
  for (int i = 0; i < 20; ++i) call();
  walk();
  call();
  at_.back().names.push_back({nullptr, ++next_});
  EXPECT_EQ(walk(), 0U);
  expect_truth();
}

TEST_F(WalkedStackTest, random_calls_are_what_the_vm_knows_of_them) {
  call();
  std::size_t kept = 0, all = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::size_t deeper = at_.size() < 20 ? 3 : at_.size() < 100 ? 2 : 1;
    if (at_.size() == 1 || random_() % 4 < deeper) {
      call();
    } else {
      give_back();
      go_on();
    }
    if (random_() % 8 != 0) continue;
    const std::size_t seen = walk();
    expect_truth();
    kept += seen;
    all += walked_.frames().size();
    if (HasFailure()) return;
  }
  EXPECT_GT(10 * kept, 5 * all);
}

}  // namespace
}  // namespace bursar::agent
