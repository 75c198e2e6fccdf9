// CallPositions: where the calls of rewritten methods are, so that a stack can be read in terms of the original code.
// Runs in: any
#pragma once

#include <algorithm>
#include <cstdint>
#include <shared_mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/method_table.h"

namespace bursar::agent {

class CallPositions {
 public:
  // The calls of each body in the order of their sites; the bodies in the order of their code.
  void set(core::MethodId method, bool copy, std::vector<std::uint32_t> positions) {
    const std::unique_lock guard(lock_);
    positions_[key(method, copy)] = std::move(positions);
  }
  void forget(core::MethodId method, bool copy) {
    const std::unique_lock guard(lock_);
    positions_.erase(key(method, copy));
  }
  // Which of the method's call sites this is, counted over all bodies; `otherwise` if the method was not rewritten.
  std::uint32_t ordinal(core::MethodId method, bool copy, std::uint32_t bci, std::uint32_t otherwise) const {
    const std::shared_lock guard(lock_);
    const auto at = positions_.find(key(method, copy));
    if (at == positions_.end()) return otherwise;
    const auto found = std::lower_bound(at->second.begin(), at->second.end(), bci);
    return static_cast<std::uint32_t>(found - at->second.begin());
  }

 private:
  static std::uint64_t key(core::MethodId method, bool copy) { return std::uint64_t{method} << 1 | (copy ? 1 : 0); }

  mutable std::shared_mutex lock_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> positions_;
};

}  // namespace bursar::agent
