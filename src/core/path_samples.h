// PathSamples: where one thread puts the numbers of the paths it is asked to sample.
//
// Bytes, as BursarPaths.sample knows them:
//   0   i32 left   counts down at every path end while samples are taken. Those below `size` and not below 0 are
//                  samples, those before are passed by, those after only counted
//   4   i32 size   of what follows
//   8   i32 path[size]
// The thread writes while the flag is up that all threads look at, whoever asks it while it is down. Threads that share
// one (virtual ones) may overwrite each other's samples and miss counts, and no more.
// Owner: the sampler.
// Runs in: any
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

namespace bursar::core {

class PathSamples {
 public:
  explicit PathSamples(std::uint32_t size) : words_(new std::int32_t[std::size_t{size} + kHeader]()) {
    words_[kSize] = static_cast<std::int32_t>(size);
  }

  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(words_.get()); }

  void ask(std::uint32_t pass_by) {
    asked_ = words_[kSize] + static_cast<std::int32_t>(pass_by);
    __atomic_store_n(&words_[kLeft], asked_, __ATOMIC_RELEASE);
  }

  std::uint32_t noted() const {
    return static_cast<std::uint32_t>(words_[kSize] - std::clamp(left(), 0, words_[kSize]));
  }
  std::int32_t left() const { return __atomic_load_n(&words_[kLeft], __ATOMIC_ACQUIRE); }
  // Path ends since it was asked; 0 if a late write of the thread makes no sense.
  std::uint64_t ends() const {
    const std::int64_t ends = std::int64_t{asked_} - left();
    return ends > 0 ? static_cast<std::uint64_t>(ends) : 0;
  }
  // Calls `visit` with the number of each path that was sampled.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::int32_t i = std::max(left(), 0); i < words_[kSize]; ++i) {
      visit(static_cast<std::uint32_t>(
          __atomic_load_n(&words_[kHeader + static_cast<std::uint32_t>(i)], __ATOMIC_RELAXED)));
    }
  }

 private:
  static constexpr std::uint32_t kLeft = 0, kSize = 1, kHeader = 2;

  std::unique_ptr<std::int32_t[]> words_;
  std::int32_t asked_ = 0;
};

}  // namespace bursar::core
