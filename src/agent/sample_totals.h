// SampleTotals: what mode sample counts about itself, of one recording.
//
// Runs in: any thread, not in signal handlers
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "agent/walk_exchange.h"
#include "profile/profile.h"

namespace bursar::agent {

struct SampleTotals {
  // Handlers are counted by whether they took less thread CPU time than this.
  static constexpr std::array<std::uint64_t, 6> kHandlerLimitsUs = {10, 20, 50, 100, 200, 500};

  std::atomic<std::uint64_t> threads = 0, ticks = 0, signals = 0, no_queue = 0, refused = 0, unanswered = 0,
                             no_signal = 0, unfinished = 0;
  std::atomic<std::uint64_t> waiting = 0, not_java = 0, from_caller = 0;
  std::atomic<std::uint64_t> handlers = 0, handler_cpu_ns = 0, classes_cpu_ns = 0, threads_cpu_ns = 0,
                             control_cpu_ns = 0;
  std::array<std::atomic<std::uint64_t>, kHandlerLimitsUs.size()> handlers_below{};

  void clear();
  void add_handler(std::uint64_t cpu_ns);
  // As counters and losses.
  void add_to(profile::ProfileData& data, const WalkExchange::Counts& exchanged) const;
};

}  // namespace bursar::agent
