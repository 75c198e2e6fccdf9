// SampledThreads: the threads of the process that may run Java code, and which of them ran since the last tick.
//
// A tick reads the CPU clocks of those that ran lately, and of some of the others in turn, so that its cost is bounded
// however many threads wait: kMaxLooks clocks in all. A thread has at most one signal on its way.
// All under one lock, which a thread takes when it starts and ends, and the ticker for the length of a tick.
// Owner: mode sample.
// Runs in: any thread, not in signal handlers
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "agent/sampling_signal.h"
#include "agent/stack_slots.h"
#include "schemes/thread_scheme.h"

namespace bursar::agent {

class SampledThreads {
 public:
  using Number = std::uint32_t;  // of a thread in the recording; never used twice
  // CPU time of a thread so far; nothing if there is no such thread.
  using CpuClock = std::optional<std::uint64_t> (*)(pid_t thread);

  static constexpr std::size_t kMaxLooks = 128;
  // A thread that waits runs this long to answer a signal, and must not be asked again for that.
  static constexpr std::uint64_t kLeastRunNs = 30'000;

  SampledThreads(StackSlots& slots, CpuClock clock) : slots_(slots), clock_(clock), history_(1, {}) {}

  // Forgets all threads; numbers go on.
  void reset(const schemes::Options& scheme);

  // Whether it is new.
  bool add(pid_t thread);
  // No stack of it will be walked any more. What had been sent to it is void.
  // Runs in: the thread itself, or any if the thread is gone
  void remove(pid_t thread, const std::string& name);
  // It turned out to be none of the VM's, or gone.
  void forget(Number number);

  // Threads that ended since the last time, with their names; only those that were sampled.
  std::vector<std::pair<Number, std::string>> take_ended();

  struct Tick {
    std::uint32_t sent = 0;
    std::uint32_t no_slot = 0;     // ran, and there was no slot for it
    std::uint32_t refused = 0;     // by the kernel
    std::uint32_t unanswered = 0;  // ran, and has not answered the signal before
  };
  // Runs in: the ticker
  Tick tick(std::uint64_t now_ns, const std::function<SamplingSignal::Sent(pid_t, StackSlots::Ticket)>& send);

 private:
  struct Thread {
    pid_t id;
    Number number;
    std::uint64_t cpu_ns;
    StackSlots::Ticket ticket;  // of the last signal; 0: none
    bool sampled;               // ever
    schemes::ThreadScheme scheme;
  };

  // Whether it ran kLeastRunNs since it was last said to have run.
  bool ran(Thread& thread) const;
  void find_running();
  void swap(std::size_t a, std::size_t b);
  void erase(std::size_t at);

  StackSlots& slots_;
  const CpuClock clock_;
  std::mutex lock_;
  schemes::Options scheme_;
  schemes::HistoryTable history_;
  std::vector<std::unique_ptr<Thread>> threads_;  // those that ran when they were last looked at come first
  std::unordered_map<pid_t, std::size_t> at_;     // where in threads_
  std::size_t active_ = 0;                        // how many of them ran
  std::vector<pid_t> running_;                    // in this tick
  std::size_t active_turn_ = 0, idle_turn_ = 0;
  Number next_number_ = 0;
  std::vector<std::pair<Number, std::string>> ended_;
};

}  // namespace bursar::agent
