// BurstPace: how much more seldom bursts come, the longer a program has run and the more they cost it.
//
// The chance of a call to lie in one is halved each time the program has run for twice as long: so about as many calls
// are counted in each of these spans as in the one before, an estimate does not get worse with time, and what bursts
// cost falls. It is halved as well where they take more of the program's time than they may: so much for free, more for
// each stack that had no burst before, since that is where there is something to be learnt, and then a small part. New
// stacks bring the first pace back. What is counted at a pace weighs accordingly more.
//
// A pace may settle: it stays for three times the first span, in which bursts may take a greater part, and then is at
// once what it would be behind the fourth doubling. By then short programs have ended, and long ones want it cheap.
// Runs in: any
#pragma once

#include <algorithm>
#include <cstdint>

namespace bursar::schemes {

using Pace = std::uint8_t;  // the chance is 1 / 2^pace of what it was at first
inline constexpr Pace kPaces = 11;
inline constexpr Pace kLastByTime = 7;
inline constexpr std::uint64_t kFirstSpanNs = 10'000'000'000;
inline constexpr Pace kSettled = 4;
inline constexpr std::uint64_t kSettlesNs = 3 * kFirstSpanNs;

constexpr std::uint64_t weight_at(Pace pace) {
  return std::uint64_t{1} << pace;
}

// After so much CPU time of the process.
constexpr Pace pace_after(std::uint64_t cpu_ns) {
  Pace pace = 0;
  while (pace < kLastByTime && cpu_ns >= kFirstSpanNs * weight_at(pace)) ++pace;
  return pace;
}

class BurstPace {
 public:
  // Bursts may take so much of the process's CPU time, in the beginning and for each new stack, but no more than that
  // in all; and so great a part of it from then on.
  struct Budget {
    std::uint64_t first_ns = 1'000'000'000, stack_ns = 2'000'000, most_ns = 5'000'000'000;
    double part = 0.03, part_before_it_settles = 0.08;
    bool settles = false;
  };
  // What less time than this shows may be chance.
  static constexpr std::uint64_t kLongEnoughNs = 500'000'000;

  BurstPace() = default;
  explicit BurstPace(const Budget& budget) : budget_(budget) {}

  // The process has used so much CPU time, so much of it in bursts, at so many different stacks: how bursts come from
  // now on.
  Pace ran(std::uint64_t cpu_ns, std::uint64_t in_bursts_ns, std::uint64_t new_stacks) {
    const std::uint64_t free_ns = std::min(budget_.most_ns, budget_.first_ns + budget_.stack_ns * new_stacks);
    const bool will_settle = budget_.settles && cpu_ns < kSettlesNs;
    const double part = will_settle ? budget_.part_before_it_settles : budget_.part;
    if (cpu_ns - judged_cpu_ns_ >= kLongEnoughNs) {
      const double share =
          static_cast<double>(in_bursts_ns - judged_in_bursts_ns_) / static_cast<double>(cpu_ns - judged_cpu_ns_);
      judged_cpu_ns_ = cpu_ns;
      judged_in_bursts_ns_ = in_bursts_ns;
      if (in_bursts_ns < free_ns) {
        by_cost_ = 0;
      } else if (share > part && pace_ + 1 < kPaces) {
        by_cost_ = pace_ + 1;
      }
    }
    const Pace by_time = pace_after(cpu_ns);
    if (!budget_.settles) return pace_ = std::max(by_cost_, by_time);
    return pace_ = will_settle ? by_cost_ : std::max({by_cost_, by_time, kSettled});
  }

 private:
  Budget budget_;
  Pace pace_ = 0, by_cost_ = 0;
  std::uint64_t judged_cpu_ns_ = 0, judged_in_bursts_ns_ = 0;
};

}  // namespace bursar::schemes
