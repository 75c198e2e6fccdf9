#include "agent/left_alone.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

TEST(LeftAlone, our_own_class_and_no_other_of_its_package) {
  EXPECT_TRUE(is_left_alone("java/lang/BursarProbe", "enter"));
  EXPECT_TRUE(is_left_alone("java/lang/BursarProbe", "<clinit>"));
  EXPECT_FALSE(is_left_alone("java/lang/BursarProbes", "enter"));
  EXPECT_FALSE(is_left_alone("java/lang/Object", "toString"));
}

TEST(LeftAlone, what_moves_a_virtual_thread_but_not_what_it_runs) {
  EXPECT_TRUE(is_left_alone("java/lang/VirtualThread", "mount"));
  EXPECT_TRUE(is_left_alone("java/lang/VirtualThread", "switchToCarrierThread"));
  EXPECT_FALSE(is_left_alone("java/lang/VirtualThread", "run"));
  EXPECT_FALSE(is_left_alone("java/lang/VirtualThread$VThreadContinuation", "mount"));
  EXPECT_TRUE(is_left_alone("jdk/internal/vm/Continuation", "run"));
  EXPECT_TRUE(is_left_alone("jdk/internal/vm/Continuation", "yield"));
  EXPECT_FALSE(is_left_alone("jdk/internal/vm/Continuation", "enter"));
  EXPECT_FALSE(is_left_alone("jdk/internal/vm/ContinuationScope", "run"));
}

}  // namespace
}  // namespace bursar::agent
