#include "agent/check_windows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

constexpr std::size_t kFewest = 64, kMost = 256;  // checks of a window
constexpr std::uint64_t kLongEnoughNs = 800'000;  // of the program's own time
constexpr std::uint64_t kBridgeNs = 60;           // what is not noted of going to native code and back
constexpr std::uint64_t kTooLongNs = 500'000;     // to note one check
constexpr std::size_t kMostWindows = 256;         // of up to 6 KB
// From the start of a thread's window to that of the next: for the first so many of them, for as many more, and then.
constexpr std::array<std::uint64_t, 3> kSpacesNs = {10'000'000, 100'000'000, 1'000'000'000};
constexpr std::size_t kWindowsOfSpace = 200;
constexpr std::int32_t kShortestPause = 1024, kLongestPause = 1 << 24;

// A window that grows, and when there will be the next one.
struct Watch {
  std::int32_t due_in = kShortestPause, pause = kShortestPause;
  std::uint64_t began_ns = 0, came_ns = 0, left_ns = 0, own_ns = 0;
  std::size_t windows = 0;
  schemes::CheckWindow checks;
};
thread_local Watch t_watch;

}  // namespace

std::int32_t CheckWindows::pass(std::int32_t checks) {
  const std::int32_t passed = std::min(checks, t_watch.due_in);
  t_watch.due_in -= passed;
  return passed;
}

bool CheckWindows::is_due() {
  Watch& watch = t_watch;
  if (watch.due_in > 0) return false;
  watch.came_ns = monotonic_ns();
  return true;
}

bool CheckWindows::has_begun() {
  return !t_watch.checks.empty();
}

void CheckWindows::put_off() {
  t_watch.pause = std::min(2 * t_watch.pause, kLongestPause);
  t_watch.due_in = t_watch.pause;
}

void CheckWindows::note(schemes::Gate gate, std::size_t depth) {
  Watch& watch = t_watch;
  const std::uint64_t came_ns = watch.came_ns;
  if (watch.checks.empty()) {
    const std::uint64_t wanted_ns = kSpacesNs[std::min(watch.windows++ / kWindowsOfSpace, kSpacesNs.size() - 1)];
    watch.pause = came_ns - watch.began_ns < wanted_ns ? std::min(2 * watch.pause, kLongestPause)
                                                       : std::max(watch.pause / 2, kShortestPause);
    watch.began_ns = came_ns;
    watch.own_ns = 0;
  } else if (came_ns > watch.left_ns + kBridgeNs) {
    watch.own_ns += came_ns - watch.left_ns - kBridgeNs;
  }
  watch.checks.push_back({.gate = gate, .at_ns = watch.own_ns, .depth = depth});
}

void CheckWindows::leave(bool burst_begins) {
  Watch& watch = t_watch;
  if (watch.checks.empty()) return;
  const bool complete =
      watch.checks.size() >= kMost || (watch.checks.size() >= kFewest && watch.own_ns >= kLongEnoughNs);
  if (complete) add(watch.checks);
  watch.left_ns = monotonic_ns();
  // The stack is so deep that a window would take seconds.
  const bool too_long = watch.left_ns - watch.came_ns > kTooLongNs;
  if (too_long) watch.pause = kLongestPause;
  if (complete || burst_begins || too_long) {
    watch.checks.clear();
    watch.due_in = watch.pause;
  }
}

void CheckWindows::add(schemes::CheckWindow window) {
  const std::lock_guard guard(lock_);
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

}  // namespace bursar::agent
