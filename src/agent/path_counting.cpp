#include "agent/path_counting.h"

#include <utility>

namespace bursar::agent {

std::uint64_t PathCounting::open() {
  const std::lock_guard guard(lock_);
  std::unique_ptr<core::PathCounters> counters;
  if (!idle_.empty()) {
    counters = std::move(idle_.back());
    idle_.pop_back();
  } else {
    counters = std::make_unique<core::PathCounters>();
  }
  const std::uint64_t address = counters->address();
  if (address != 0) open_.emplace(address, std::move(counters));
  return address;
}

void PathCounting::close(std::uint64_t address) {
  const std::lock_guard guard(lock_);
  const auto at = open_.find(address);
  if (at == open_.end()) return;
  at->second->add_to(ended_, registry_.size());
  if (idle_.size() < kMostIdle) {
    at->second->clear();
    idle_.push_back(std::move(at->second));
  }
  open_.erase(at);
}

std::vector<std::uint64_t> PathCounting::counts() const {
  const std::lock_guard guard(lock_);
  const std::uint32_t used = registry_.size();
  std::vector<std::uint64_t> counts = ended_;
  shared_.add_to(counts, used);
  for (const auto& [address, counters] : open_) counters->add_to(counts, used);
  return counts;
}

}  // namespace bursar::agent
