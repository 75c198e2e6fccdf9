#include "schemes/striding.h"

#include <gtest/gtest.h>

namespace bursar::schemes {
namespace {

TEST(Striding, passes_by_each_number_below_the_stride_in_turn) {
  Striding striding(3);
  for (const std::uint32_t expected : {0U, 1U, 2U, 0U, 1U, 2U, 0U}) EXPECT_EQ(striding.next(), expected);
}

TEST(Striding, a_stride_of_one_passes_by_nothing) {
  Striding striding(1), none(0);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(striding.next(), 0U);
    EXPECT_EQ(none.next(), 0U);
  }
}

}  // namespace
}  // namespace bursar::schemes
