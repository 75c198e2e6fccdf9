// TickThread: a thread of the agent's own that does something at every tick.
//
// No Java thread: it needs nothing of the VM, does not wait for it and is not waited for. It takes no signals. Ticks
// that come too late are left out and counted. start() and stop() come from one thread at a time.
#pragma once

#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>

#include "schemes/ticker.h"

namespace bursar::agent {

class TickThread {
 public:
  // `on_tick` gets the time, by monotonic_ns(). False if the system has no thread for us.
  bool start(const schemes::Options& options, std::function<void(std::uint64_t now_ns)> on_tick);
  // Returns when no tick is under way and none will come.
  void stop();

  // From the tick after the next on.
  // Runs in: any
  void set_interval(std::uint64_t interval_ns) { interval_ns_.store(interval_ns, std::memory_order_relaxed); }

  bool is_running() const { return running_; }
  // Ticks, since the start.
  std::uint64_t left_out() const { return left_out_.load(std::memory_order_relaxed); }
  // Of this thread, at its last tick.
  std::uint64_t cpu_ns() const { return cpu_ns_.load(std::memory_order_relaxed); }

 private:
  static void* run(void* self);
  void loop();

  schemes::Options options_;
  std::function<void(std::uint64_t)> on_tick_;
  pthread_t thread_{};
  bool running_ = false;
  std::mutex lock_;
  std::condition_variable wake_;
  bool ended_ = false;
  std::atomic<std::uint64_t> cpu_ns_ = 0, interval_ns_ = 0, left_out_ = 0;
};

}  // namespace bursar::agent
