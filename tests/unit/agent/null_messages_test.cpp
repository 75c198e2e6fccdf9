#include "agent/null_messages.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

TEST(NullMessages, do_not_show_the_argument_of_copies) {
  EXPECT_EQ(without_mark_of_copies("Cannot invoke \"A.f(boolean[][][][][][][])\" because \"<local1>\" is null"),
            "Cannot invoke \"A.f()\" because \"<local1>\" is null");
  EXPECT_EQ(without_mark_of_copies("the return value of \"A.f(int, boolean[][][][][][][])\" is null"),
            "the return value of \"A.f(int)\" is null");
  EXPECT_EQ(without_mark_of_copies("A.f(boolean[][][][][][][]) and B.g(long, boolean[][][][][][][])"),
            "A.f() and B.g(long)");
  EXPECT_EQ(without_mark_of_copies("Cannot load from byte/boolean array"), "Cannot load from byte/boolean array");
}

}  // namespace
}  // namespace bursar::agent
