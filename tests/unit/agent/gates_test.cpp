#include "agent/gates.h"

#include <gtest/gtest.h>

#include "agent/call_positions.h"

namespace bursar::agent {
namespace {

TEST(Gates, dropped_ones_are_listed_no_more) {
  Gates gates;
  gates.add(1);
  gates.add(2);
  gates.drop(1);
  EXPECT_EQ(gates.list(), std::vector<core::MethodId>{2});
  EXPECT_EQ(gates.dropped(), 1U);
}

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
