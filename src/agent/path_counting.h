// PathCounting: mode exact-paths: the counters of every thread, and what is left of those of threads that ended.
//
// A thread has counters of its own, so that none is lost and none is waited for; virtual threads share theirs and add
// to them atomically.
// Runs in: any
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "agent/path_registry.h"
#include "core/path_counters.h"

namespace bursar::agent {

class PathCounting {
 public:
  explicit PathCounting(const PathRegistry& registry) : registry_(registry) {}

  // Of virtual threads, and of those for which there is no memory; 0 if there is not even that.
  std::uint64_t shared() const { return shared_.address(); }
  // The counters of a new thread; 0 if it is to use the shared ones.
  std::uint64_t open();
  // The thread has ended.
  void close(std::uint64_t counters);
  // Of all threads; they may go on.
  std::vector<std::uint64_t> counts() const;

 private:
  static constexpr std::size_t kMostIdle = 64;

  const PathRegistry& registry_;
  mutable std::mutex lock_;
  core::PathCounters shared_;
  std::unordered_map<std::uint64_t, std::unique_ptr<core::PathCounters>> open_;
  std::vector<std::unique_ptr<core::PathCounters>> idle_;  // address space for the next threads
  std::vector<std::uint64_t> ended_;
};

}  // namespace bursar::agent
