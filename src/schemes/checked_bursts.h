// CheckedBursts: which of a thread's checks lie in bursts, where a burst is a number of checks and not a span of time.
//
// A thread passes checks while it runs: places where it may begin to count calls or cease to. Each counts as so many
// units, as many as it takes the program until the next one. Bursts and the gaps between them are drawn in units, and
// every check lies in a burst with the same chance, whatever lengths are drawn: so no region of a program is seen more
// than others because it is fast or slow, or because counting slows it down. The chance may change (burst_pace.h) from
// one gap to the next. Then bursts change their length as well: what is dear about those that are rare is to begin.
// Runs in: any
#pragma once

#include <cstdint>

#include "schemes/burst_pace.h"
#include "schemes/random.h"

namespace bursar::schemes {

// Of the program's own time.
inline constexpr std::uint64_t kUnitNs = 10;

class CheckedBursts {
 public:
  // `chance`: of a check to lie in a burst. `burst_ns`: how long bursts are.
  CheckedBursts(double chance, std::uint64_t burst_ns, std::uint64_t seed);

  double chance() const { return chance_; }
  // Of a thread's first check.
  bool begins_in_burst(Pace pace);
  // In units, at least 1. Without gaps there is no end of a burst.
  std::int32_t burst_length(Pace pace) const;
  // Of one that a thread begins in: how much of it is left.
  std::int32_t rest_of_burst(Pace pace);
  std::int32_t gap_length(Pace pace);
  // At least 0, below 1.
  double part() { return random_.part(); }

 private:
  const double chance_, length_;
  SharedRandom random_;
};

}  // namespace bursar::schemes
