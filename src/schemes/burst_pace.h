// BurstPace: how much more seldom bursts come, the longer a program has run.
//
// Their chance is halved each time the program has run for twice as long: so each of these spans has about as many
// bursts as the one before, an estimate does not get worse with time, and what bursts cost falls. What is counted at a
// pace weighs accordingly more.
// Runs in: any
#pragma once

#include <cstdint>

namespace bursar::schemes {

using Pace = std::uint8_t;  // the chance is 1 / 2^pace of what it was at first
inline constexpr Pace kPaces = 6;
inline constexpr std::uint64_t kFirstSpanNs = 10'000'000'000;

constexpr std::uint64_t weight_at(Pace pace) {
  return std::uint64_t{1} << pace;
}

// After so much CPU time of the process.
constexpr Pace pace_after(std::uint64_t cpu_ns) {
  Pace pace = 0;
  while (pace + 1 < kPaces && cpu_ns >= kFirstSpanNs * weight_at(pace)) ++pace;
  return pace;
}

}  // namespace bursar::schemes
