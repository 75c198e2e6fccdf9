// Clocks and threads of this process, as the kernel sees them. Nanoseconds.
// Runs in: any
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace bursar::agent {

std::uint64_t monotonic_ns();
// CPU time so far. Of the calling thread: also in signal handlers.
std::uint64_t process_cpu_ns();
std::uint64_t own_cpu_ns();
// Nothing if there is no such thread.
std::optional<std::uint64_t> thread_cpu_ns(pid_t thread);

// The processor's time-stamp counter, which runs evenly on all that we support.
inline std::uint64_t time_stamp() {
  return __builtin_ia32_rdtsc();
}

pid_t own_thread_id();
std::vector<pid_t> all_thread_ids();

}  // namespace bursar::agent
