// CallCounter: the processor's own count of the calls that a thread made, where there is one.
//
// Retired call instructions: calls that the JIT has inlined are none. Most virtual machines have no such counter.
// Runs in: any
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>

namespace bursar::agent {

class CallCounter {
 public:
  virtual ~CallCounter() = default;
  // Calls since it was opened; nothing if that is not known.
  virtual std::optional<std::uint64_t> read() const = 0;
};

// Of a thread of this process; null if the system has none for us.
std::unique_ptr<CallCounter> open_call_counter(pid_t thread);

}  // namespace bursar::agent
