#include "agent/call_watch.h"

#include <algorithm>
#include <limits>

namespace bursar::agent {

void CallWatch::begin(const Beginning& beginning) {
  window_.time_ns = beginning.time_ns;
  window_.ran_ns = beginning.ran_ns;
  window_.samples.clear();
  window_.calls = window_.cycles = window_.latency = window_.cpu_ns = 0;
  window_.least = std::numeric_limits<std::uint64_t>::max();
  window_.saw_calls = window_.is_whole = false;
  at_tick_ = beginning.now;
  telling_ = 0;
  sampling_.tick(beginning.passed_by);
  state_.store(State::kOpen, std::memory_order_release);
}

bool CallWatch::take_back(std::uint64_t tsc, std::uint64_t cpu_ns) {
  State open = State::kOpen;
  if (!state_.compare_exchange_strong(open, State::kBusy, std::memory_order_acq_rel)) return false;
  // It has made no call since the last one.
  if (window_.saw_calls && tsc > left_) window_.cycles += tsc - left_;
  end(cpu_ns);
  return true;
}

CallWatch::Look CallWatch::called(std::uint64_t tsc, std::uint64_t (*cpu_clock)()) {
  State open = State::kOpen;
  if (!state_.compare_exchange_strong(open, State::kBusy, std::memory_order_acq_rel)) return Look::kNothing;
  entered_ = tsc;
  if (window_.saw_calls) {
    ++window_.calls;
    window_.cycles += tsc - left_;
    window_.least = std::min(window_.least, tsc - left_);
  } else {
    window_.saw_calls = true;
    cpu_at_first_ = cpu_clock();
    const double passed = static_cast<double>(tsc) - static_cast<double>(at_tick_.tsc);
    const double ran =
        (static_cast<double>(cpu_at_first_) - static_cast<double>(at_tick_.cpu_ns)) * at_tick_.cycles_per_ns;
    window_.latency = static_cast<std::uint64_t>(std::max(passed - ran, 0.0));
  }
  return sampling_.call() ? Look::kSample : Look::kPassBy;
}

void CallWatch::left(std::uint64_t tsc, std::uint64_t (*cpu_clock)()) {
  if (!is_full()) {
    telling_ += tsc - entered_;
    left_ = tsc;
    state_.store(State::kOpen, std::memory_order_release);
    return;
  }
  window_.is_whole = true;
  end(cpu_clock());
}

void CallWatch::end(std::uint64_t cpu_ns) {
  window_.cpu_ns = cpu_ns > at_tick_.cpu_ns ? cpu_ns - at_tick_.cpu_ns : 0;
  // While the thread waited, or another one had its processor, it did not run.
  const double passed = static_cast<double>(window_.cycles + telling_);
  if (window_.saw_calls && cpu_ns > cpu_at_first_) {
    const double ran = static_cast<double>(cpu_ns - cpu_at_first_) * at_tick_.cycles_per_ns;
    if (ran < passed) window_.cycles = static_cast<std::uint64_t>(static_cast<double>(window_.cycles) * ran / passed);
  }
  state_.store(State::kEnded, std::memory_order_release);
}

}  // namespace bursar::agent
