#include "schemes/yieldpoint_sampler.h"

namespace bursar::schemes {

Antibias antibias_of(const Options& options) {
  const double interval = static_cast<double>(options.interval_ns) * kCyclesPerNs;
  return {.correction = options.correction,
          .lambda = options.lambda_cycles > 0 ? options.lambda_cycles : interval,
          .alpha = options.alpha};
}

void YieldpointSampler::begin(std::uint64_t now_ns) {
  const std::uint64_t latency_ns = now_ns - flagged_ns_;
  is_flagged_ = false;
  ++counts_.bursts;
  counts_.latency_ns += latency_ns;
  weight_ = weight_of(antibias_, static_cast<double>(calls_), static_cast<double>(latency_ns) * kCyclesPerNs);
  calls_ = 0;
  sampling_.tick();
}

}  // namespace bursar::schemes
