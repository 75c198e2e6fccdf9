// CallWatch: what one thread does between a tick and its last sample: it watches its calls, in a *window*.
//
// The watcher begins a window while the thread runs on; the thread tells each call it makes; the window ends with its
// last sample, or when the watcher takes it back. One atomic word says whose turn it is: the thread works on the window
// only between kOpen and the end of its call, the watcher only when there is none, or it has ended. So neither waits.
// Time is that of the time-stamp counter. What lies between two calls is the program's, except for what telling took.
// Runs in: as said
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "schemes/counter_sampling.h"

namespace bursar::agent {

// One call. Methods are jmethodIDs; no caller if it came from native code.
struct CallSample {
  void* caller = nullptr;
  std::int64_t bci = -1;
  void* callee = nullptr;
};

struct WatchClocks {
  std::uint64_t tsc = 0;
  std::uint64_t cpu_ns = 0;  // of the thread
  double cycles_per_ns = 0;
};

struct CallWindow {
  std::uint64_t time_ns = 0;  // of its tick
  std::uint64_t ran_ns = 0;   // CPU time of the thread since its window before
  std::vector<CallSample> samples;
  std::uint64_t calls = 0;    // that were watched, behind the first one
  std::uint64_t cycles = 0;   // from the first of them to the last, of the program
  std::uint64_t latency = 0;  // in cycles: from the tick to the first call, as far as the thread did not run
  bool saw_calls = false;
  bool is_whole = false;     // it ended by itself
  std::uint64_t cpu_ns = 0;  // of the thread, from tick to end
};

class CallWatch {
 public:
  CallWatch(std::uint32_t samples, std::uint32_t stride) : sampling_(samples, stride) {
    window_.samples.reserve(samples);
  }

  // --- the watcher ---

  bool is_idle() const { return state_.load(std::memory_order_acquire) == State::kIdle; }
  struct Beginning {
    std::uint64_t time_ns = 0;
    std::uint64_t ran_ns = 0;  // CPU time of the thread since its window before
    WatchClocks now;
    std::uint32_t passed_by = 0;  // calls to let go before the first sample
  };
  void begin(const Beginning& beginning);
  // It lasts too long: it ends now, by its thread's CPU time. False if the thread is at work on it.
  bool take_back(std::uint64_t tsc, std::uint64_t cpu_ns);
  // Null while there is none that has ended. Behind it the watch is idle again, at release().
  const CallWindow* ended() const {
    return state_.load(std::memory_order_acquire) == State::kEnded ? &window_ : nullptr;
  }
  void release() { state_.store(State::kIdle, std::memory_order_release); }

  // --- the thread ---

  // What to do at a call. Anything but kNothing must be followed by left().
  enum class Look : std::uint8_t { kNothing, kPassBy, kSample };
  // `tsc`: when the call was made; `cpu_clock` is asked at the first one.
  Look called(std::uint64_t tsc, std::uint64_t (*cpu_clock)());
  void sample(const CallSample& sample) { window_.samples.push_back(sample); }
  // That was the last sample: no further calls need to be seen.
  bool is_full() const { return !sampling_.is_watching(); }
  // Behind the last sample `cpu_clock` is asked again.
  void left(std::uint64_t tsc, std::uint64_t (*cpu_clock)());

 private:
  enum class State : std::uint8_t { kIdle, kOpen, kBusy, kEnded };
  void end(std::uint64_t cpu_ns);
  void add_gap(std::uint64_t cycles);
  void add_telling(std::uint64_t cycles);
  void take_waiting_out(double waited);

  std::atomic<State> state_ = State::kIdle;
  schemes::CounterSampling sampling_;
  CallWindow window_;
  WatchClocks at_tick_;
  std::uint64_t cpu_at_first_ = 0;
  std::uint64_t entered_ = 0, left_ = 0;  // the last call
  std::uint64_t telling_ = 0;             // cycles, since the first call
  // The longest stretch of the program between two calls, and of telling.
  std::uint64_t longest_gap_ = 0, longest_telling_ = 0;
};

}  // namespace bursar::agent
