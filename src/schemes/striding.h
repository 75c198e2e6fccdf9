// Striding: how many samples to pass by at each tick before the first is taken: simplified Arnold–Grove sampling.
//
// After a tick the next places where a sample could be taken are not all alike: the first is likelier to be one that
// comes after something slow. So before the first sample of each tick some are passed by, in turn 0 … stride - 1 of
// them; then the samples are taken one after the other (paper 003, section 4.4).
// Runs in: any; one user
#pragma once

#include <cstdint>

namespace bursar::schemes {

class Striding {
 public:
  explicit Striding(std::uint32_t stride) : stride_(stride == 0 ? 1 : stride) {}

  std::uint32_t next() {
    const std::uint32_t passed_by = at_;
    at_ = (at_ + 1) % stride_;
    return passed_by;
  }

 private:
  std::uint32_t stride_;
  std::uint32_t at_ = 0;
};

}  // namespace bursar::schemes
