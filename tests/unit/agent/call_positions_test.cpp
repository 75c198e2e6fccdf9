#include "agent/call_positions.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

TEST(CallPositions, tell_which_call_of_which_body) {
  CallPositions positions;
  positions.set(7, false, {10, 20, 110, 120});
  EXPECT_EQ(positions.ordinal(7, false, 20, 99), 1U);
  EXPECT_EQ(positions.ordinal(7, false, 110, 99), 2U);
  EXPECT_EQ(positions.ordinal(7, true, 20, 99), 99U) << "its copy is not known";
  positions.forget(7, false);
  EXPECT_EQ(positions.ordinal(7, false, 20, 99), 99U);
}

}  // namespace
}  // namespace bursar::agent
