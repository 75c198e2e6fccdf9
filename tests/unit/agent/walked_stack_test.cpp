#include "agent/walked_stack.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

std::vector<FrameInfo> frames(const std::vector<int>& places) {
  std::vector<FrameInfo> made;
  made.reserve(places.size());
  for (const int place : places) {
    made.push_back({.method = reinterpret_cast<jmethodID>(static_cast<std::intptr_t>(place)), .location = place});
  }
  return made;
}

TEST(WalkedStack, the_rest_is_behind_the_frames_that_fit) {
  const auto before = frames({21, 22, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  EXPECT_EQ(find_rest(frames({31, 1, 2, 3, 4, 5, 6, 7, 8}), before), 10U);
}

TEST(WalkedStack, frames_that_were_elsewhere_do_not_fit) {
  auto before = frames({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  const auto top = frames({1, 2, 3, 4, 5, 6, 7, 8});
  before[4].location = 99;
  EXPECT_FALSE(find_rest(top, before));
}

TEST(WalkedStack, recursion_fits_in_more_than_one_way) {
  const auto before = frames({1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3});
  EXPECT_FALSE(find_rest(frames({5, 1, 1, 1, 1, 1, 1, 1, 1}), before));
}

TEST(WalkedStack, few_frames_tell_nothing) {
  EXPECT_FALSE(find_rest(frames({1, 2, 3}), frames({1, 2, 3, 4, 5, 6, 7, 8, 9})));
}

}  // namespace
}  // namespace bursar::agent
