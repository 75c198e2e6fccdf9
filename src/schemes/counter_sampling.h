// CounterSampling: which of the calls behind a tick are sampled: CBS(samples, stride) (Arnold and Grove 2005).
//
// Every stride-th call is, until there are enough samples. The first sample is not always the same number of calls
// behind the tick: strides begin anew with every tick, each time one call later, in turn, so that no call is favoured
// for where ticks are noticed.
// Runs in: any; one user
#pragma once

#include <cstdint>

#include "schemes/striding.h"

namespace bursar::schemes {

class CounterSampling {
 public:
  CounterSampling(std::uint32_t samples, std::uint32_t stride)
      : samples_(samples == 0 ? 1 : samples), stride_(stride == 0 ? 1 : stride), first_(stride_) {}

  // The calls from now on are looked at. `skipped` of them, further ones, are passed by before the first.
  void tick(std::uint32_t skipped = 0) {
    left_ = samples_;
    pass_by_ = skipped + first_.next();
  }

  // Samples are still to be taken.
  bool is_watching() const { return left_ > 0; }

  // A call is made. Whether it is a sample.
  bool call() {
    if (left_ == 0) return false;
    if (pass_by_ > 0) {
      --pass_by_;
      return false;
    }
    --left_;
    pass_by_ = stride_ - 1;
    return true;
  }

  // No more samples of this tick.
  void stop() { left_ = 0; }

 private:
  std::uint32_t samples_, stride_;
  Striding first_;
  std::uint32_t left_ = 0;
  std::uint32_t pass_by_ = 0;
};

}  // namespace bursar::schemes
