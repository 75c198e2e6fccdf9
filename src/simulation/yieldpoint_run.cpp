#include "simulation/yieldpoint_run.h"

namespace bursar::simulation {

void YieldpointRun::tick(std::uint64_t now_ns) {
  for (; ticker_.next_ns() <= now_ns; ticker_.advance()) {
    if (is_there_ || ticker_.next_ns() == now_ns) sampler_.tick(ticker_.next_ns());
  }
}

void YieldpointRun::count(std::uint32_t node, double weight) {
  if (bursts_ != sampler_.counts().bursts) {
    bursts_ = sampler_.counts().bursts;
    estimates_.begin_burst();
  }
  estimates_.count(node, weight);
}

schemes::ThreadScheme::Counts YieldpointRun::counts() const {
  return {.ticks = sampler_.counts().ticks, .bursts = sampler_.counts().bursts};
}

}  // namespace bursar::simulation
