#include "agent/call_watch.h"

#include <algorithm>
#include <limits>

namespace bursar::agent {

void CallWatch::begin(const Beginning& beginning) {
  window_.time_ns = beginning.time_ns;
  window_.ran_ns = beginning.ran_ns;
  window_.samples.clear();
  window_.calls = window_.cycles = window_.latency = window_.cpu_ns = 0;
  window_.saw_calls = window_.is_whole = false;
  at_tick_ = beginning.now;
  telling_ = longest_gap_ = longest_telling_ = 0;
  sampling_.tick(beginning.passed_by);
  state_.store(State::kOpen, std::memory_order_release);
}

bool CallWatch::take_back(std::uint64_t tsc, std::uint64_t cpu_ns) {
  State open = State::kOpen;
  if (!state_.compare_exchange_strong(open, State::kBusy, std::memory_order_acq_rel)) return false;
  // It has made no call since the last one.
  if (window_.saw_calls && tsc > left_) add_gap(tsc - left_);
  end(cpu_ns);
  return true;
}

CallWatch::Look CallWatch::called(std::uint64_t tsc, std::uint64_t (*cpu_clock)()) {
  State open = State::kOpen;
  if (!state_.compare_exchange_strong(open, State::kBusy, std::memory_order_acq_rel)) return Look::kNothing;
  entered_ = tsc;
  if (window_.saw_calls) {
    ++window_.calls;
    add_gap(tsc - left_);
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
    add_telling(tsc - entered_);
    left_ = tsc;
    state_.store(State::kOpen, std::memory_order_release);
    return;
  }
  window_.is_whole = true;
  end(cpu_clock());
}

void CallWatch::end(std::uint64_t cpu_ns) {
  window_.cpu_ns = cpu_ns > at_tick_.cpu_ns ? cpu_ns - at_tick_.cpu_ns : 0;
  if (window_.saw_calls && cpu_ns > cpu_at_first_) {
    const double ran = static_cast<double>(cpu_ns - cpu_at_first_) * at_tick_.cycles_per_ns;
    take_waiting_out(static_cast<double>(window_.cycles + telling_) - ran);
  }
  state_.store(State::kEnded, std::memory_order_release);
}

void CallWatch::add_gap(std::uint64_t cycles) {
  window_.cycles += cycles;
  longest_gap_ = std::max(longest_gap_, cycles);
}

void CallWatch::add_telling(std::uint64_t cycles) {
  telling_ += cycles;
  longest_telling_ = std::max(longest_telling_, cycles);
}

// While the thread waited, or another one had its processor, it did not run. That is one long stretch, as a rule, and
// not a part of all: it comes off the longest, and what is left, of all.
void CallWatch::take_waiting_out(double waited) {
  if (waited <= 0) return;
  double gaps = static_cast<double>(window_.cycles), telling = static_cast<double>(telling_);
  const bool in_gap = longest_gap_ >= longest_telling_;
  const double longest = static_cast<double>(std::max(longest_gap_, longest_telling_));
  const double in_longest = std::min(waited, longest);
  (in_gap ? gaps : telling) -= in_longest;
  if (gaps + telling > 0) gaps *= std::max(0.0, 1 - (waited - in_longest) / (gaps + telling));
  window_.cycles = static_cast<std::uint64_t>(std::max(gaps, 0.0));
}

}  // namespace bursar::agent
