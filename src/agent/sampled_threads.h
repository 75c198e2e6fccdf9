// SampledThreads: the threads of the process that may run Java code, and which of them a tick asks for their stacks.
//
// By CPU time those that ran since the last tick: a tick reads the clocks of those that ran lately, and of some of the
// others in turn, so that its cost is bounded however many threads wait: kMaxLooks clocks in all. By wall-clock time
// kMostAtATime of all, in turn. A thread has at most one signal on its way.
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

#include "agent/agent_options.h"
#include "agent/sampling_signal.h"
#include "agent/walk_exchange.h"
#include "schemes/thread_scheme.h"

namespace bursar::agent {

class SampledThreads {
 public:
  using Number = std::uint32_t;  // of a thread in the recording; never used twice
  // CPU time of a thread so far; nothing if there is no such thread.
  using CpuClock = std::optional<std::uint64_t> (*)(pid_t thread);

  static constexpr std::size_t kMaxLooks = 128;
  static constexpr std::size_t kMostAtATime = 8;
  // A thread that waits runs this long to answer a signal, and must not be asked again for that.
  static constexpr std::uint64_t kLeastRunNs = 30'000;

  SampledThreads(WalkExchange& exchange, CpuClock clock) : exchange_(exchange), clock_(clock), history_(1, {}) {}

  // Forgets all threads; numbers go on.
  void reset(const schemes::Options& scheme, SampleClock by = SampleClock::kCpu);

  // Whether it is new.
  bool add(pid_t thread);
  // No stack of it will be walked any more. What had been sent to it is void.
  // Runs in: the thread itself, or any if the thread is gone
  void remove(pid_t thread, const std::string& name);
  // It turned out to be none of the VM's, or gone.
  void forget(Number number);

  // What was sent is void; nothing will be walked until the next tick.
  void withdraw_all();

  // Threads that ended since the last time, with their names; only those that were sampled.
  std::vector<std::pair<Number, std::string>> take_ended();

  struct Tick {
    std::uint32_t sent = 0;
    std::uint32_t no_queue = 0;    // there was none for its walk
    std::uint32_t refused = 0;     // by the kernel
    std::uint32_t unanswered = 0;  // has not answered the signal before
  };
  // Runs in: the ticker
  Tick tick(std::uint64_t now_ns, const std::function<SamplingSignal::Sent(pid_t, WalkExchange::Ticket)>& send);

 private:
  struct Thread {
    pid_t id;
    Number number;
    std::uint64_t cpu_ns;
    WalkExchange::Desk desk;  // 0: none
    bool sampled;             // ever
    schemes::ThreadScheme scheme;
  };

  // Whether it ran kLeastRunNs since it was last said to have run.
  bool ran(Thread& thread) const;
  void find_running();
  void find_next();
  void swap(std::size_t a, std::size_t b);
  void erase(std::size_t at);

  WalkExchange& exchange_;
  const CpuClock clock_;
  std::mutex lock_;
  schemes::Options scheme_;
  SampleClock by_ = SampleClock::kCpu;
  schemes::HistoryTable history_;
  std::vector<std::unique_ptr<Thread>> threads_;  // those that ran when they were last looked at come first
  std::unordered_map<pid_t, std::size_t> at_;     // where in threads_
  std::size_t active_ = 0;                        // how many of them ran
  std::vector<pid_t> chosen_;                     // in this tick
  std::size_t active_turn_ = 0, idle_turn_ = 0, turn_ = 0;
  Number next_number_ = 0;
  std::vector<std::pair<Number, std::string>> ended_;
};

}  // namespace bursar::agent
