// CheckedBursts: which of a thread's checks lie in bursts, where a burst is a number of checks and not a span of time.
//
// A thread passes checks while it runs: places where it may begin to count calls or cease to. Bursts and the gaps
// between them are drawn in checks (one may count as several), and every check lies in a burst with the same chance,
// whatever lengths are drawn: so no region of a program is seen more than others because it is fast or slow, or because
// counting slows it down. How long bursts are may change: it follows how long they took. So may the chance
// (burst_pace.h), from one gap to the next. Runs in: any
#pragma once

#include <atomic>
#include <cstdint>

#include "schemes/burst_pace.h"
#include "schemes/random.h"

namespace bursar::schemes {

class CheckedBursts {
 public:
  // `chance`: of a check to lie in a burst. `burst_ns`: about how long bursts shall take.
  CheckedBursts(double chance, std::uint64_t burst_ns, std::uint64_t seed)
      : chance_(chance), burst_ns_(burst_ns), random_(seed, 0) {}

  double chance() const { return chance_; }
  // Of a thread's first check.
  bool begins_in_burst(Pace pace);
  // In checks; at least 1. Without gaps there is no end of a burst.
  std::int32_t burst_length();
  // Of one that a thread begins in: how much of it is left.
  std::int32_t rest_of_burst();
  std::int32_t gap_length(Pace pace);
  // A burst is over that took so long, without what it took to begin: bursts shall take no less than that, or deep
  // recursion would have nothing but beginnings.
  void took(std::uint64_t ns, std::uint64_t to_begin_ns = 0);
  // At least 0, below 1.
  double part() { return random_.part(); }

 private:
  const double chance_;
  const std::uint64_t burst_ns_;
  SharedRandom random_;
  std::atomic<double> mean_ = 100;  // length of a burst
};

}  // namespace bursar::schemes
