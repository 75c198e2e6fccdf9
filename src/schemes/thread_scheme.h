// ThreadScheme: when the calls of one thread are looked at, and how much each weighs.
//
// A state machine that knows neither a JVM nor a trace: whoever drives it tells it of ticks that find the thread
// running and asks for the weight of every call. Times are those of one clock and do not go back. Runs in: the thread
// that it belongs to, or the simulator
#pragma once

#include "schemes/history_table.h"
#include "schemes/options.h"
#include "schemes/random.h"
#include "schemes/signature.h"

namespace bursar::schemes {

class ThreadScheme {
 public:
  // `thread`: its number in the run, from which its random numbers come. The table is shared by all threads and
  // must outlive it.
  ThreadScheme(const Options& options, HistoryTable& history, std::uint64_t thread);

  enum class Action : std::uint8_t {
    kNone,
    kSample,  // the stack as it is now, once
    kBurst,   // from its top on, every call and return until weight() is 0 again
  };
  // The tick finds the thread with this stack.
  Action tick(Signature stack, std::uint64_t now_ns);

  // Of a call that is made now; 0 outside bursts.
  double weight(std::uint64_t now_ns) const { return always_ || now_ns < burst_end_ns_ ? weight_ : 0; }

  // Every call is looked at, from the thread's first on.
  bool always() const { return always_; }

  struct Counts {
    std::uint64_t ticks = 0;
    std::uint64_t bursts = 0;      // begun
    std::uint64_t reenabled = 0;   // of them, at stacks seen before
    std::uint64_t suppressed = 0;  // not begun, for the stack was seen before
  };
  const Counts& counts() const { return counts_; }

 private:
  Action begin_burst(double weight, std::uint64_t now_ns);

  const Options options_;
  HistoryTable& history_;
  Random random_;
  bool always_;
  double weight_ = 1;
  std::uint64_t burst_end_ns_ = 0;
  Counts counts_;
};

// Whether some calls are not looked at: bursts that last until the next tick leave nothing out.
bool has_gaps(const Options& options);

// By how much weights must be multiplied to estimate calls: of each interval only a burst was looked at.
double calls_per_weight(const Options& options);

}  // namespace bursar::schemes
