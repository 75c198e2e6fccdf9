#include "profile/saturating.h"

#include <gtest/gtest.h>

#include <random>

namespace bursar::profile {
namespace {

// Small enough to be tried out entirely against plain arithmetic.
TEST(Saturating, agrees_with_plain_arithmetic_on_bytes) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const unsigned sum = saturating_add(static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
      ASSERT_EQ(sum, std::min(a + b, 255U));
    }
    for (unsigned bits = 0; bits < 12; ++bits) {
      const unsigned shifted = saturating_shift_left(static_cast<std::uint8_t>(a), bits);
      ASSERT_EQ(shifted, std::min(a << bits, 255U)) << a << " << " << bits;
    }
  }
}

TEST(Saturating, shifting_a_sum_is_summing_what_was_shifted) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t a = random() >> (random() % 64);
    const std::uint64_t b = random() >> (random() % 64);
    const auto bits = static_cast<unsigned>(random() % 33);
    EXPECT_EQ(saturating_shift_left(saturating_add(a, b), bits),
              saturating_add(saturating_shift_left(a, bits), saturating_shift_left(b, bits)));
  }
}

TEST(Saturating, holds_for_128_bits) {
  constexpr Uint128 kMax = ~Uint128{0};
  EXPECT_TRUE(saturating_add(kMax, Uint128{1}) == kMax);
  EXPECT_TRUE(saturating_shift_left(Uint128{1}, 127) == Uint128{1} << 127);
  EXPECT_TRUE(saturating_shift_left(Uint128{2}, 127) == kMax);
  EXPECT_TRUE(saturating_shift_left(Uint128{1}, 128) == kMax);
  EXPECT_TRUE(saturating_shift_left(Uint128{0}, 128) == 0);
}

}  // namespace
}  // namespace bursar::profile
