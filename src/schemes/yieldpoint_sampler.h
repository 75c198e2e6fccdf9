// YieldpointSampler: which calls of one thread a timer samples that sets a flag in every thread (Lee 2015,
// section 3.3).
//
// A tick sets the flag of each thread, running or not. A thread looks at its flag whenever it enters a method (the
// yieldpoint in the method's prologue): a thread that waits does so once it is done waiting, and takes then the samples
// of all the ticks that it missed, once. With the flag it finds out how much the tick's samples weigh, by its calls
// since it last did so and by how long the flag has been set; CounterSampling tells which calls they are.
// A flag that is set while samples are still to be taken ends those and begins anew.
// Times are those of one clock and do not go back. Runs in: the thread that it belongs to, or the simulator
#pragma once

#include <cstdint>

#include "schemes/antibias.h"
#include "schemes/counter_sampling.h"
#include "schemes/options.h"

namespace bursar::schemes {

// Of the clock that counts cycles where only nanoseconds are known: 4 ms are the paper's 10,000,000 cycles.
inline constexpr double kCyclesPerNs = 2.5;

// With the interval for λ unless another one is asked for.
Antibias antibias_of(const Options& options);

class YieldpointSampler {
 public:
  explicit YieldpointSampler(const Options& options)
      : antibias_(antibias_of(options)), sampling_(options.samples, options.stride) {}

  // The timer sets the flag.
  void tick(std::uint64_t now_ns) {
    ++counts_.ticks;
    if (is_flagged_) return;
    is_flagged_ = true;
    flagged_ns_ = now_ns;
  }

  // A call is made. What it weighs as a sample; 0 if it is none.
  double call(std::uint64_t now_ns) {
    ++calls_;
    if (is_flagged_) begin(now_ns);
    return sampling_.call() ? weight_ : 0;
  }

  struct Counts {
    std::uint64_t ticks = 0;
    std::uint64_t bursts = 0;      // of samples, begun: less than ticks where the thread waited
    std::uint64_t latency_ns = 0;  // of all bursts: from the flag to the yieldpoint
  };
  const Counts& counts() const { return counts_; }

 private:
  void begin(std::uint64_t now_ns);

  const Antibias antibias_;
  CounterSampling sampling_;
  bool is_flagged_ = false;
  std::uint64_t flagged_ns_ = 0;
  std::uint64_t calls_ = 0;  // since the last burst began
  double weight_ = 1;
  Counts counts_;
};

}  // namespace bursar::schemes
