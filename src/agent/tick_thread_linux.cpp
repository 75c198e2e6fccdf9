#include <chrono>
#include <csignal>
#include <utility>

#include "agent/clocks.h"
#include "agent/tick_thread.h"

namespace bursar::agent {

bool TickThread::start(const schemes::Options& options, std::function<void(std::uint64_t)> on_tick) {
  if (running_) return true;
  options_ = options;
  interval_ns_ = options.interval_ns;
  on_tick_ = std::move(on_tick);
  ended_ = false;
  cpu_ns_ = left_out_ = 0;
  // The program's signals are for the program's threads.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  running_ = pthread_create(&thread_, nullptr, run, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (running_) pthread_setname_np(thread_, "bursar ticker");
  return running_;
}

void TickThread::stop() {
  if (!running_) return;
  {
    const std::lock_guard guard(lock_);
    ended_ = true;
  }
  wake_.notify_all();
  pthread_join(thread_, nullptr);
  running_ = false;
}

void* TickThread::run(void* self) {
  static_cast<TickThread*>(self)->loop();
  return nullptr;
}

void TickThread::loop() {
  schemes::Ticker ticker(options_, monotonic_ns());
  std::unique_lock guard(lock_);
  while (!ended_) {
    const std::chrono::steady_clock::time_point next{std::chrono::nanoseconds(ticker.next_ns())};
    if (wake_.wait_until(guard, next, [this] { return ended_; })) break;
    guard.unlock();
    const std::uint64_t now_ns = monotonic_ns();
    on_tick_(now_ns);
    ticker.set_interval(interval_ns_.load(std::memory_order_relaxed));
    for (ticker.advance(); ticker.next_ns() <= now_ns; ticker.advance()) ++left_out_;
    cpu_ns_.store(own_cpu_ns(), std::memory_order_relaxed);
    guard.lock();
  }
}

}  // namespace bursar::agent
