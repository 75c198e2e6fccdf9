// Ticker: when the process's ticks come: one in each interval, at a moment that the jitter makes unforeseeable.
//
// A pure function of options and start, so that a simulation and a live run with one seed tick alike.
// Runs in: any; one user
#pragma once

#include <algorithm>

#include "schemes/options.h"
#include "schemes/random.h"

namespace bursar::schemes {

class Ticker {
 public:
  Ticker(const Options& options, std::uint64_t start_ns);

  // Moves on to the next tick.
  void advance();
  // Of the ticks behind the next one.
  void set_interval(std::uint64_t interval_ns) { next_interval_ns_ = std::max<std::uint64_t>(interval_ns, 1); }
  std::uint64_t next_ns() const { return next_ns_; }

 private:
  void place();

  std::uint64_t interval_ns_, next_interval_ns_;
  double jitter_;
  Random random_;
  std::uint64_t cell_ns_;  // where the tick's interval begins
  std::uint64_t next_ns_ = 0;
};

}  // namespace bursar::schemes
