#include "agent/check_windows.h"

#include <algorithm>
#include <utility>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

constexpr std::size_t kFewest = 64, kMost = 2048;  // checks of a window
constexpr std::uint64_t kLongEnoughNs = 20'000;    // of the program's own time
constexpr std::uint64_t kBridgeNs = 60;            // what is not noted of going to native code and back
constexpr std::size_t kMostWindows = 256;          // of up to 64 KB
// From the start of a thread's window to that of the next: at first, and once it had enough of them.
constexpr std::uint64_t kAtFirstNs = 10'000'000, kLaterNs = 100'000'000;
constexpr int kFirstWindows = 300;
constexpr std::int32_t kShortestPause = 1024, kLongestPause = 1 << 24;

// A window that grows, and when there will be the next one.
struct Watch {
  std::int32_t due_in = kShortestPause, pause = kShortestPause;
  std::uint64_t began_ns = 0, left_ns = 0, own_ns = 0;
  int windows = 0;
  schemes::CheckWindow checks;
};
thread_local Watch t_watch;

}  // namespace

std::int32_t CheckWindows::pass(std::int32_t checks) {
  const std::int32_t passed = std::min(checks, t_watch.due_in);
  t_watch.due_in -= passed;
  return passed;
}

void CheckWindows::note(schemes::Check check, std::uint64_t address) {
  Watch& watch = t_watch;
  if (watch.due_in > 0) return;
  const std::uint64_t came_ns = monotonic_ns();
  if (watch.checks.empty()) {
    const std::uint64_t wanted_ns = watch.windows++ < kFirstWindows ? kAtFirstNs : kLaterNs;
    watch.pause = came_ns - watch.began_ns < wanted_ns ? std::min(2 * watch.pause, kLongestPause)
                                                       : std::max(watch.pause / 2, kShortestPause);
    watch.began_ns = came_ns;
    watch.own_ns = 0;
  } else if (came_ns > watch.left_ns + kBridgeNs) {
    watch.own_ns += came_ns - watch.left_ns - kBridgeNs;
  }
  watch.checks.push_back({.check = check, .at_ns = watch.own_ns, .depth = ~address});
}

void CheckWindows::leave(bool burst_begins) {
  Watch& watch = t_watch;
  if (watch.checks.empty()) return;
  const bool complete =
      watch.checks.size() >= kMost || (watch.checks.size() >= kFewest && watch.own_ns >= kLongEnoughNs);
  if (complete) add(watch.checks);
  if (complete || burst_begins) {
    watch.checks.clear();
    watch.due_in = watch.pause;
  } else {
    watch.left_ns = monotonic_ns();
  }
}

void CheckWindows::add(schemes::CheckWindow window) {
  const std::lock_guard guard(lock_);
  if (new_.size() < kMostWindows) new_.push_back(window);
  if (windows_.size() < kMostWindows) {
    windows_.push_back(std::move(window));
  } else {
    windows_[next_] = std::move(window);
    next_ = (next_ + 1) % kMostWindows;
  }
}

std::vector<schemes::CheckWindow> CheckWindows::list() {
  const std::lock_guard guard(lock_);
  return windows_;
}

std::vector<schemes::CheckWindow> CheckWindows::take_new() {
  const std::lock_guard guard(lock_);
  return std::exchange(new_, {});
}

}  // namespace bursar::agent
