#include "agent/bursts.h"

#include <gtest/gtest.h>

#include "core/gathering.h"

namespace bursar::agent {
namespace {

struct BurstsTest : testing::Test {
  core::MethodTable methods;
  const std::vector<StackFrame> stack = {{.method = 0, .site = 1}, {.method = 1, .site = 2}};

  // How many of a thousand more bursts at a stack take place once it had one.
  int admitted(schemes::Options options) {
    Bursts bursts(methods, options);
    bursts.admits(stack);
    int count = 0;
    for (int i = 0; i < 1000; ++i) count += bursts.admits(stack) ? 1 : 0;
    return count;
  }
};

TEST_F(BurstsTest, a_new_stack_is_not_left_to_chance) {
  Bursts bursts(methods, {.reenable = 0.05});
  EXPECT_EQ(bursts.admits(stack), core::kGroups);
}

TEST_F(BurstsTest, known_stacks_have_their_part) {
  EXPECT_EQ(admitted({.reenable = 0}), 0);
  EXPECT_NEAR(admitted({.reenable = 0.2}), 200, 60);
  EXPECT_EQ(admitted({.reenable = 1}), 1000);
  EXPECT_EQ(admitted({.kind = schemes::Kind::kStatic}), 1000);
}

TEST(BurstState, a_gap_that_is_looked_at_is_as_long_as_before) {
  for (const std::int32_t passed : {0, 3, 9}) {
    BurstState state{.countdown = 10};
    state.interrupt(passed);
    EXPECT_TRUE(state.interrupted());
    EXPECT_EQ(state.countdown, passed);
    state.go_on();
    EXPECT_FALSE(state.interrupted());
    EXPECT_EQ(passed + 1 + state.countdown, 10) << "with the check that was looked at";
  }
}

}  // namespace
}  // namespace bursar::agent
