// IntervalTuner: how long the interval between samples should be, from how often a sample finds what the last one found
// (Chilingarova 2006, 3.3).
//
// After every kPortion samples it looks at those whose stack was compared with the one before, and at the part of them
// whose innermost activation had been seen there. Below kFewRepeated there is more to see than is looked at, and the
// interval shortens; above kManyRepeated samples tell little new, and it lengthens; by a factor, which falls when the
// direction turns, so that it settles. What the profiler costs goes before: past kHighestCost of the program's CPU time
// the interval lengthens, at the end of a portion and whenever the cost was looked at, and it does not shorten to where
// the cost would come near that. Pure: whoever drives it counts samples and measures the cost. Runs in: any; one user
#pragma once

#include <cstdint>
#include <optional>

namespace bursar::schemes {

class IntervalTuner {
 public:
  static constexpr std::uint64_t kPortion = 1000;
  // Fewer that were compared tell nothing.
  static constexpr std::uint64_t kFewestCompared = 100;
  static constexpr double kFewRepeated = 0.01, kManyRepeated = 0.15;
  static constexpr double kHighestCost = 0.01;
  // Costs vary from portion to portion.
  static constexpr double kNearHighestCost = 0.75 * kHighestCost;
  static constexpr double kFactor = 2;
  // Less of a change is none.
  static constexpr double kLeastFactor = 1.1;
  static constexpr std::uint64_t kFirstIntervalNs = 50'000'000;

  // The first interval is 50 ms, or what of the range is next to it.
  IntervalTuner(std::uint64_t min_interval_ns, std::uint64_t max_interval_ns);

  // Nothing: it was not compared.
  void sample(std::optional<bool> top_was_seen) {
    ++samples_;
    if (!top_was_seen) return;
    ++compared_;
    if (*top_was_seen) ++repeated_;
  }
  bool is_due() const { return samples_ >= kPortion; }
  // The end of a portion, whose cost was this part of the program's CPU time. Whether the interval is another now.
  bool evaluate(double cost);
  // The cost since it was last told, in the middle of a portion. Whether the interval is another now.
  bool heed(double cost);

  std::uint64_t interval_ns() const { return interval_ns_; }
  // Of what was compared in the last portion.
  double repeated() const { return last_repeated_; }

 private:
  bool set(double interval_ns);

  const std::uint64_t min_ns_, max_ns_;
  std::uint64_t interval_ns_;
  std::uint64_t samples_ = 0, compared_ = 0, repeated_ = 0;
  double last_repeated_ = 0;
  double factor_ = kFactor;
  int direction_ = 0;  // of the last change; 0: there was none
};

}  // namespace bursar::schemes
