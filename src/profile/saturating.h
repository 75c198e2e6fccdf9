// Arithmetic that stops at the largest number. Commutative and associative, which is what makes merging exact; a
// saturated number stays saturated under every shift and sum.
// Runs in: any
#pragma once

#include "profile/profile.h"

namespace bursar::profile {

template <class Unsigned>
constexpr Unsigned saturating_add(Unsigned a, Unsigned b) {
  const auto sum = static_cast<Unsigned>(a + b);
  return sum < a ? static_cast<Unsigned>(-1) : sum;
}

template <class Unsigned>
constexpr Unsigned saturating_shift_left(Unsigned value, unsigned bits) {
  if (value == 0 || bits == 0) return value;
  if (bits >= sizeof(Unsigned) * 8) return static_cast<Unsigned>(-1);
  const auto shifted = static_cast<Unsigned>(value << bits);
  return (shifted >> bits) == value ? shifted : static_cast<Unsigned>(-1);
}

}  // namespace bursar::profile
