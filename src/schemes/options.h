// What a scheme may be told. The defaults are the papers' (Zhuang 2006, table 2; of counter sampling Lee 2015, section
// 3.2), except for the jitter, which they do not have.
// Runs in: any
#pragma once

#include <cstdint>

#include "schemes/antibias.h"

namespace bursar::schemes {

enum class Kind : std::uint8_t {
  kExhaustive,  // every call
  kStackWalk,   // one sample at each tick
  kStatic,      // a burst at each tick
  kAdaptive,    // a burst at a tick whose stack was not seen before, and at some of the others
  kCounter,     // a few of the calls behind each tick, which also finds threads that wait
};

// What becomes of an entry of the history table when another stack wants its place.
enum class Collision : std::uint8_t { kReplace, kKeep };

struct Options {
  Kind kind = Kind::kAdaptive;
  std::uint64_t interval_ns = 10'000'000;
  // A tick comes at random within this part of its interval: at 1 all moments are equally likely, so that ticks cannot
  // lock to what the program does periodically.
  double jitter = 1;
  std::uint64_t burst_ns = 200'000;
  // Of the bursts at stacks that were seen before, this part takes place.
  double reenable = 0.05;
  std::uint32_t history = 2048;
  Collision collision = Collision::kReplace;
  std::uint64_t seed = 1;
  // Of counter sampling: so many samples for each tick, every stride-th call one.
  std::uint32_t samples = 8;
  std::uint32_t stride = 2;
  Correction correction = Correction::kDensityAndLatency;
  double lambda_cycles = 0;  // 0: the interval
  double alpha = 1000;
};

inline Options usual_options(Kind kind) {
  constexpr std::uint64_t kCounterIntervalNs = 4'000'000;
  Options options;
  options.kind = kind;
  if (kind == Kind::kCounter) options.interval_ns = kCounterIntervalNs;
  return options;
}

}  // namespace bursar::schemes
