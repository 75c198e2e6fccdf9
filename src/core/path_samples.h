// PathSamples: where one thread puts the numbers of the paths it is asked to sample.
//
// Bytes, as BursarPaths.sample knows them:
//   0   i32 left   counts down at every path end while samples are taken; what is not below 0 is where its number goes
//   4   i32 size   of the samples
//   8   i32 path[size]          the samples
//       i32 passed_by[…]        what came before them; there so that the probe need not tell them apart
// The thread writes while the flag is up that all threads look at, whoever asks it while it is down. Threads that share
// one (virtual ones) may overwrite each other's samples and miss counts, and no more.
// Owner: the sampler.
// Runs in: any
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

namespace bursar::core {

class PathSamples {
 public:
  PathSamples(std::uint32_t size, std::uint32_t most_passed_by)
      : words_(new std::int32_t[kHeader + std::size_t{size} + most_passed_by]()) {
    words_[kSize] = static_cast<std::int32_t>(size);
  }

  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(words_.get()); }

  // At most as many as were said at first.
  void ask(std::uint32_t pass_by) {
    asked_ = words_[kSize] + static_cast<std::int32_t>(pass_by);
    seen_ = asked_;
    __atomic_store_n(&words_[kLeft], asked_, __ATOMIC_RELEASE);
  }
  // Path ends since it was asked, or since this was.
  bool moved() {
    const std::int32_t now = left();
    return std::exchange(seen_, now) != now;
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
  std::int32_t seen_ = 0;
};

}  // namespace bursar::core
