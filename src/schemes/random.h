// Random: numbers that are the same on every machine for the same seed (splitmix64).
// Runs in: any; one user each, but for SharedRandom
#pragma once

#include <atomic>
#include <cstdint>

namespace bursar::schemes {

constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

class Random {
 public:
  // Streams with one seed and different numbers are independent.
  Random(std::uint64_t seed, std::uint64_t number) : state_(mixed(seed) ^ mixed(~number)) {}

  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15); }
  // At least 0, below 1.
  double part() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  std::uint64_t state_;
};

// The same for several threads at once: which of them gets which number is open.
class SharedRandom {
 public:
  SharedRandom(std::uint64_t seed, std::uint64_t number) : state_(mixed(seed) ^ mixed(~number)) {}

  double part() {
    const std::uint64_t before = state_.fetch_add(0x9e3779b97f4a7c15, std::memory_order_relaxed);
    return static_cast<double>(mixed(before + 0x9e3779b97f4a7c15) >> 11) * 0x1p-53;
  }

 private:
  std::atomic<std::uint64_t> state_;
};

}  // namespace bursar::schemes
