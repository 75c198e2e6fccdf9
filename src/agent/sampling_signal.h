// SamplingSignal: the signal by which a thread is asked to look at its own stack.
//
// A real-time signal that nobody has a handler for, so that SIGPROF and all others stay the program's. Ours carry a
// ticket and come from this process; any other signal of that number does what it would have done without us. Once
// installed the handler stays: a signal may be on its way. Should the program take the signal for itself later, we
// leave it to the program and take another.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstdint>

namespace bursar::agent {

class SamplingSignal {
 public:
  // `context` is the ucontext of the interrupted thread. errno is kept for it.
  // Runs in: signal
  using Handler = void (*)(std::uint64_t ticket, void* context);

  // Takes a signal that the calling thread does not block. False if none is free.
  // Runs in: a thread of the program, one at a time
  bool install(Handler handler);
  // Makes sure that the signal still is ours, or takes another. False if none is free.
  // Runs in: the ticker, behind install()
  bool keep();

  enum class Sent : std::uint8_t { kYes, kThreadIsGone, kRefused };
  Sent send(pid_t thread, std::uint64_t ticket) const;

  int number() const { return number_; }

 private:
  bool is_ours() const;

  int number_ = 0;
  sigset_t blocked_{};  // by threads of the program
};

// The thread that the signal interrupted was waiting in the kernel.
// Runs in: signal
bool was_waiting(const void* context);

}  // namespace bursar::agent
