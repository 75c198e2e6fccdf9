// WatchedThreads: the Java threads of the process, and which of them watch their calls for a while.
//
// A thread is due for a window when it has run for an interval since its last one, more or less, so that windows cannot
// lock to what the program does periodically. Only threads that run Java code at the moment get one: those that wait,
// or are in native code, cost nothing and are looked at again later. A step looks at kMostLooks threads, in turn.
// What the VM is asked goes through ThreadQueries, so that tests can answer.
// Owner: mode cbs.
// Runs in: any thread that may block; begin(), collect() in one of them
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "agent/call_counter.h"
#include "agent/call_watch.h"
#include "schemes/random.h"

namespace bursar::agent {

class ThreadQueries {
 public:
  virtual ~ThreadQueries() = default;
  // Nothing if the thread is gone.
  virtual std::optional<std::uint64_t> cpu_ns(jthread thread) = 0;
  virtual bool runs_java(jthread thread) = 0;
  // Whether it will tell its calls, or will no longer. False if the thread is gone.
  virtual bool tells_calls(jthread thread, bool wanted) = 0;
};

class WatchedThreads {
 public:
  static constexpr std::size_t kMostLooks = 64;
  // A window in which a thread runs longer is taken back: it makes hardly any calls. As is one in which it waits.
  static constexpr std::uint64_t kLongestWindowNs = 2'000'000, kLongestWaitNs = 100'000'000;

  // A thread runs this many times longer without a window than it ran in the one before, at least.
  static constexpr std::uint64_t kLeastApart = 7;
  // Of a window's calls this part, at most, is passed by before the first sample.
  static constexpr double kPassedBy = 0.25;

  WatchedThreads(ThreadQueries& queries, std::uint32_t samples, std::uint32_t stride, std::uint64_t seed)
      : queries_(queries), samples_(samples), stride_(stride), random_(seed, 0) {}

  // `thread`: a global reference. `counter` may be null.
  CallWatch* add(jthread thread, std::string name, std::unique_ptr<CallCounter> counter);
  // Its thread ends.
  // Runs in: that thread
  void remove(CallWatch* watch);

  // Windows for those that are due. How many have one now.
  std::size_t begin(std::uint64_t now_ns, std::uint64_t interval_ns, double cycles_per_ns);

  struct Ended {
    const CallWindow& window;
    const std::string& thread;
    // Of the thread since its window before, by its counter, if it has one.
    std::optional<std::uint64_t> calls;
  };
  // Windows that have ended, or must; `drop` gets the references of threads that are gone.
  void collect(std::uint64_t now_ns, const std::function<void(const Ended&)>& take,
               const std::function<void(jthread)>& drop);
  // No window will begin, and those that have begun end when they are next collected.
  void close();

  struct Counts {
    std::uint64_t windows = 0;      // begun
    std::uint64_t taken_back = 0;   // of them
    std::uint64_t not_running = 0;  // threads that were due but did not run Java code
    std::uint64_t window_cpu_ns = 0;
    std::uint64_t calls_told = 0;  // in windows
  };
  const Counts& counts() const { return counts_; }

 private:
  struct Thread {
    jthread thread;
    std::string name;
    std::unique_ptr<CallCounter> counter;
    CallWatch watch;
    std::uint64_t cpu_ns = 0;                       // of its last window's end, or when it was first seen
    std::uint64_t due_ns = 0;                       // CPU time from then on
    std::uint64_t since_ns = 0, window_cpu_ns = 0;  // when its window began
    std::optional<std::uint64_t> counted, calls;    // by its counter: at the last window; between that and this one
    bool is_seen = false, has_window = false, is_gone = false;

    Thread(jthread ref, std::string called, std::unique_ptr<CallCounter> by, std::uint32_t samples,
           std::uint32_t stride)
        : thread(ref), name(std::move(called)), counter(std::move(by)), watch(samples, stride) {}
  };
  bool begin(Thread& thread, std::uint64_t now_ns, std::uint64_t interval_ns, double cycles_per_ns);
  void take_back_if_due(Thread& thread, std::uint64_t now_ns);
  static void count_calls(Thread& thread);
  std::uint64_t next_due(std::uint64_t interval_ns);

  ThreadQueries& queries_;
  const std::uint32_t samples_, stride_;
  std::mutex lock_;
  schemes::Random random_;
  std::vector<std::unique_ptr<Thread>> threads_;
  std::size_t turn_ = 0;
  bool is_closed_ = false;
  Counts counts_;
};

}  // namespace bursar::agent
