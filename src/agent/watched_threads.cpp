#include "agent/watched_threads.h"

#include <algorithm>

#include "agent/clocks.h"

namespace bursar::agent {

CallWatch* WatchedThreads::add(jthread thread, std::string name, std::unique_ptr<CallCounter> counter) {
  auto added = std::make_unique<Thread>(thread, std::move(name), std::move(counter), samples_, stride_);
  CallWatch* const watch = &added->watch;
  const std::lock_guard guard(lock_);
  threads_.push_back(std::move(added));
  return watch;
}

void WatchedThreads::remove(CallWatch* watch) {
  const std::lock_guard guard(lock_);
  for (const auto& thread : threads_) {
    if (&thread->watch == watch) thread->is_gone = true;
  }
}

std::uint64_t WatchedThreads::next_due(std::uint64_t interval_ns) {
  return static_cast<std::uint64_t>(static_cast<double>(interval_ns) * (0.5 + random_.part()));
}

// By its counter, since this was asked last.
void WatchedThreads::count_calls(Thread& thread) {
  const std::optional<std::uint64_t> now = thread.counter != nullptr ? thread.counter->read() : std::nullopt;
  thread.calls = now && thread.counted ? std::optional(*now - *thread.counted) : std::nullopt;
  thread.counted = now;
}

bool WatchedThreads::begin(Thread& thread, std::uint64_t now_ns, std::uint64_t interval_ns, double cycles_per_ns) {
  const std::optional<std::uint64_t> cpu = queries_.cpu_ns(thread.thread);
  if (!cpu) return false;
  if (!thread.is_seen) {
    thread.is_seen = true;
    thread.cpu_ns = *cpu;
    thread.due_ns = next_due(interval_ns);
    count_calls(thread);
    return false;
  }
  const std::uint64_t ran = *cpu > thread.cpu_ns ? *cpu - thread.cpu_ns : 0;
  if (ran < thread.due_ns) return false;
  if (!queries_.runs_java(thread.thread)) {
    ++counts_.not_running;
    return false;
  }
  count_calls(thread);
  thread.due_ns = next_due(interval_ns);
  thread.since_ns = now_ns;
  thread.window_cpu_ns = *cpu;
  // The moment at which the VM lets a thread see its calls is no random one: a part of them goes by first.
  const double all = static_cast<double>(samples_) * stride_;
  thread.watch.begin({.time_ns = now_ns,
                      .ran_ns = ran,
                      .now = {.tsc = time_stamp(), .cpu_ns = *cpu, .cycles_per_ns = cycles_per_ns},
                      .passed_by = static_cast<std::uint32_t>(random_.part() * all * kPassedBy)});
  thread.has_window = true;
  ++counts_.windows;
  if (!queries_.tells_calls(thread.thread, true)) thread.watch.take_back(0, *cpu);
  return true;
}

std::size_t WatchedThreads::begin(std::uint64_t now_ns, std::uint64_t interval_ns, double cycles_per_ns) {
  const std::lock_guard guard(lock_);
  if (is_closed_ || threads_.empty()) return 0;
  const std::size_t looks = std::min(kMostLooks, threads_.size());
  for (std::size_t i = 0; i < looks; ++i) {
    turn_ = (turn_ + 1) % threads_.size();
    Thread& thread = *threads_[turn_];
    if (!thread.has_window && !thread.is_gone) begin(thread, now_ns, interval_ns, cycles_per_ns);
  }
  return static_cast<std::size_t>(
      std::count_if(threads_.begin(), threads_.end(), [](const auto& thread) { return thread->has_window; }));
}

void WatchedThreads::take_back_if_due(Thread& thread, std::uint64_t now_ns) {
  const std::uint64_t cpu = queries_.cpu_ns(thread.thread).value_or(thread.window_cpu_ns);
  const bool is_due = thread.is_gone || is_closed_ || cpu - thread.window_cpu_ns > kLongestWindowNs ||
                      now_ns - thread.since_ns > kLongestWaitNs;
  if (!is_due) return;
  queries_.tells_calls(thread.thread, false);
  if (thread.watch.take_back(time_stamp(), cpu)) ++counts_.taken_back;
}

void WatchedThreads::collect(std::uint64_t now_ns, const std::function<void(const Ended&)>& take,
                             const std::function<void(jthread)>& drop) {
  const std::lock_guard guard(lock_);
  for (const auto& thread : threads_) {
    if (!thread->has_window) continue;
    if (thread->watch.ended() == nullptr) take_back_if_due(*thread, now_ns);
    const CallWindow* const window = thread->watch.ended();
    if (window == nullptr) continue;
    thread->cpu_ns = thread->window_cpu_ns + window->cpu_ns;
    thread->due_ns = std::max(thread->due_ns, kLeastApart * window->cpu_ns);
    counts_.window_cpu_ns += window->cpu_ns;
    counts_.calls_told += window->calls + (window->saw_calls ? 1 : 0);
    take({*window, thread->name, thread->calls});
    count_calls(*thread);
    thread->has_window = false;
    thread->watch.release();
  }
  std::erase_if(threads_, [&](const auto& thread) {
    if (!thread->is_gone || thread->has_window) return false;
    drop(thread->thread);
    return true;
  });
}

void WatchedThreads::close() {
  const std::lock_guard guard(lock_);
  is_closed_ = true;
}

}  // namespace bursar::agent
