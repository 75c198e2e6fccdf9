// Antibias weights: how much a sample of a tick stands for (Lee 2015, section 3.2).
//
// Ticks come evenly in time, calls do not: where calls are dense each sample stands for more of them. And a tick that
// has to wait for its first sample, because its thread does, finds what comes behind the waiting more often than it
// should. So a tick's samples weigh in proportion to the calls of its interval, and the less, the longer it waited:
//
//   weight = calls / (λ / 1000 + α / 1000 · latency)
//
// with the sampling interval λ and the latency in cycles. One call in a thousand cycles, without latency, weighs 1.
// Runs in: any
#pragma once

#include <cstdint>

namespace bursar::schemes {

enum class Correction : std::uint8_t { kNone, kDensity, kDensityAndLatency };

struct Antibias {
  Correction correction = Correction::kDensity;
  double lambda = 10'000'000;  // cycles
  double alpha = 1000;
};

// `calls`: of the tick's interval; `latency`: from the tick to its first sample, in cycles.
inline double weight_of(const Antibias& how, double calls, double latency) {
  constexpr double kUnit = 1000;
  switch (how.correction) {
    case Correction::kNone:
      return 1;
    case Correction::kDensity:
      return calls * kUnit / how.lambda;
    case Correction::kDensityAndLatency:
      break;
  }
  return calls * kUnit / (how.lambda + how.alpha * latency);
}

}  // namespace bursar::schemes
