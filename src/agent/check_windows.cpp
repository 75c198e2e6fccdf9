#include "agent/check_windows.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

constexpr std::size_t kFewest = 2, kMost = 256;  // checks of a window
constexpr std::uint64_t kBridgeNs = 60;          // what is not noted of going to native code and back
constexpr std::uint64_t kTooLongNs = 500'000;    // to note one check
constexpr std::uint64_t kLastsNs = 2'000'000;
constexpr std::size_t kMostWindows = 256;  // of up to 6 KB
// From the start of a thread's window to that of the next: for the first so many of them, for as many more, and then.
constexpr std::array<std::uint64_t, 3> kSpacesNs = {10'000'000, 100'000'000, 1'000'000'000};
constexpr std::size_t kWindowsOfSpace = 200;

// A window that grows.
struct Watch {
  std::uint64_t began_ns = 0, came_ns = 0, left_ns = 0, own_ns = 0;
  std::size_t windows = 0;
  schemes::CheckWindow checks;
};
thread_local Watch t_watch;

}  // namespace

bool CheckWindows::begin() {
  Watch& watch = t_watch;
  const std::uint64_t now_ns = monotonic_ns();
  if (now_ns - watch.began_ns < kSpacesNs[std::min(watch.windows / kWindowsOfSpace, kSpacesNs.size() - 1)])
    return false;
  ++watch.windows;
  watch.began_ns = watch.came_ns = watch.left_ns = now_ns;
  watch.own_ns = 0;
  return true;
}

bool CheckWindows::is_watching() {
  if (t_watch.checks.empty()) return false;
  t_watch.came_ns = monotonic_ns();
  return true;
}

void CheckWindows::note(schemes::Gate gate, std::size_t depth) {
  Watch& watch = t_watch;
  if (watch.came_ns > watch.left_ns + kBridgeNs) watch.own_ns += watch.came_ns - watch.left_ns - kBridgeNs;
  watch.checks.push_back({.gate = gate, .at_ns = watch.own_ns, .depth = depth});
}

bool CheckWindows::leave() {
  Watch& watch = t_watch;
  if (watch.checks.empty()) return false;
  watch.left_ns = monotonic_ns();
  // A burst may last, as long as nobody knows how far apart its gates are; and a stack may be so deep that a window
  // would take seconds.
  const bool lasts = watch.own_ns > kLastsNs, too_long = watch.left_ns - watch.came_ns > kTooLongNs;
  const schemes::PassedGate last = watch.checks.back();
  if (watch.checks.size() >= kMost || lasts || too_long) end();
  if (lasts && !too_long) {
    watch.own_ns = 0;
    watch.checks.push_back({.gate = last.gate, .depth = last.depth});
  }
  return !watch.checks.empty();
}

void CheckWindows::end() {
  schemes::CheckWindow window = std::exchange(t_watch.checks, {});
  if (window.size() < kFewest) return;
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
