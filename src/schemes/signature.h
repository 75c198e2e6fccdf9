// The signature of a stack: a number made of the method and call site of every frame, from the root on.
// Runs in: any
#pragma once

#include <cstdint>

#include "schemes/random.h"

namespace bursar::schemes {

using Signature = std::uint64_t;

inline constexpr Signature kEmptyStack = 0;

// Of the stack with one more frame, called from this site of the one below.
constexpr Signature with_frame(Signature below, std::uint32_t method, std::uint32_t site) {
  return mixed(below * 0x9e3779b97f4a7c15 + (std::uint64_t{site} << 32 | method) + 1);
}

}  // namespace bursar::schemes
