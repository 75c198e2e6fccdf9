#include "schemes/burst_pace.h"

#include <gtest/gtest.h>

namespace bursar::schemes {
namespace {

TEST(BurstPace, it_halves_whenever_the_time_has_doubled) {
  EXPECT_EQ(pace_after(0), 0);
  EXPECT_EQ(pace_after(kFirstSpanNs - 1), 0);
  for (Pace pace = 1; pace < kPaces; ++pace) {
    EXPECT_EQ(pace_after((kFirstSpanNs << (pace - 1)) - 1), pace - 1);
    EXPECT_EQ(pace_after(kFirstSpanNs << (pace - 1)), pace);
  }
}

TEST(BurstPace, in_the_end_it_stays) {
  EXPECT_EQ(pace_after(~std::uint64_t{0}), kPaces - 1);
}

}  // namespace
}  // namespace bursar::schemes
