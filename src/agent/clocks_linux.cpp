#include <dirent.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdlib>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

std::uint64_t in_ns(const timespec& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

std::uint64_t read(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return in_ns(now);
}

}  // namespace

std::uint64_t monotonic_ns() {
  return read(CLOCK_MONOTONIC);
}

std::uint64_t process_cpu_ns() {
  return read(CLOCK_PROCESS_CPUTIME_ID);
}

std::uint64_t own_cpu_ns() {
  return read(CLOCK_THREAD_CPUTIME_ID);
}

std::optional<std::uint64_t> thread_cpu_ns(pid_t thread) {
  // What pthread_getcpuclockid() makes: a thread's scheduler clock.
  const auto clock = static_cast<clockid_t>(~static_cast<unsigned>(thread) << 3 | 6U);
  timespec now{};
  if (clock_gettime(clock, &now) != 0) return std::nullopt;
  return in_ns(now);
}

pid_t own_thread_id() {
  return static_cast<pid_t>(syscall(SYS_gettid));
}

std::vector<pid_t> all_thread_ids() {
  std::vector<pid_t> threads;
  DIR* const folder = opendir("/proc/self/task");
  if (folder == nullptr) return threads;
  while (const dirent* entry = readdir(folder)) {
    if (const int number = std::atoi(entry->d_name); number > 0) threads.push_back(number);
  }
  closedir(folder);
  return threads;
}

}  // namespace bursar::agent
