#include "schemes/needless_checks.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace bursar::schemes {
namespace {

// Fewer may be chance.
constexpr std::uint32_t kEnough = 8;
// In one of so many cases a decision may be older than it should be.
constexpr std::uint32_t kMostOld = 20;
// Checks of one frame may differ by that much.
constexpr std::uint64_t kSameFrame = 128;

class Choice {
 public:
  Choice(std::span<const CheckWindow> windows, const Checks& given_up, std::uint64_t longest_ns)
      : windows_(windows), longest_ns_(longest_ns), given_up_(given_up) {
    for (std::uint32_t w = 0; w < windows.size(); ++w) {
      for (const PassedCheck& passed : windows[w]) {
        if (given_up.contains(passed.check)) continue;
        Uses& uses = uses_[passed.check];
        ++uses.times;
        if (uses.windows.empty() || uses.windows.back() != w) uses.windows.push_back(w);
      }
    }
  }

  // The most frequent ones first: what they rely on stays, if one of two must.
  std::vector<Check> take() {
    std::vector<std::pair<std::uint32_t, Check>> by_times;
    for (const auto& [check, uses] : uses_) {
      if (uses.times >= kEnough) by_times.emplace_back(uses.times, check);
    }
    std::sort(by_times.begin(), by_times.end(), [](const auto& a, const auto& b) {
      return std::tuple(b.first, a.second.method, a.second.loop) < std::tuple(a.first, b.second.method, b.second.loop);
    });
    std::vector<Check> needless;
    for (const auto& [times, check] : by_times) {
      std::uint32_t old = 0;
      for (const std::uint32_t window : uses_[check].windows) old += without(check, windows_[window]);
      if (old * kMostOld > times) continue;
      given_up_.insert(check);
      needless.push_back(check);
    }
    return needless;
  }

 private:
  struct Uses {
    std::uint32_t times = 0;
    std::vector<std::uint32_t> windows;
  };
  struct Decision {
    std::uint64_t depth, at_ns;
  };

  // How often an old decision, or none, would hold where this check decided.
  std::uint32_t without(Check check, const CheckWindow& window) {
    std::uint32_t old = 0;
    running_.clear();
    for (const PassedCheck& passed : window) {
      while (!running_.empty() && running_.back().depth > passed.depth + kSameFrame) running_.pop_back();
      const bool is_it = passed.check == check;
      if (is_it && (running_.empty() || passed.at_ns - running_.back().at_ns > longest_ns_)) ++old;
      if (is_it || given_up_.contains(passed.check)) continue;
      while (!running_.empty() && running_.back().depth + kSameFrame >= passed.depth) running_.pop_back();
      running_.push_back({passed.depth, passed.at_ns});
    }
    return old;
  }

  std::span<const CheckWindow> windows_;
  const std::uint64_t longest_ns_;
  Checks given_up_;
  std::unordered_map<Check, Uses, CheckHash> uses_;
  std::vector<Decision> running_;  // of frames that still run, the deepest last
};

}  // namespace

std::vector<Check> needless_checks(std::span<const CheckWindow> windows, const Checks& given_up,
                                   std::uint64_t longest_ns) {
  return Choice(windows, given_up, longest_ns).take();
}

std::vector<std::uint32_t> hasty_loops(std::span<const CheckWindow> windows, const Checks& given_up,
                                       std::uint64_t shortest_ns) {
  struct Times {
    std::uint32_t hasty = 0, all = 0;
  };
  std::unordered_map<std::uint32_t, Times> loops;
  for (const CheckWindow& window : windows) {
    for (std::size_t i = 1; i < window.size(); ++i) {
      if (!window[i].check.loop || given_up.contains(window[i].check)) continue;
      Times& times = loops[window[i].check.method];
      ++times.all;
      const PassedCheck& before = window[i - 1];
      if (before.check == window[i].check && window[i].at_ns - before.at_ns < shortest_ns) ++times.hasty;
    }
  }
  std::vector<std::uint32_t> methods;
  for (const auto& [method, times] : loops) {
    if (times.hasty >= kEnough && 2 * times.hasty > times.all) methods.push_back(method);
  }
  return methods;
}

}  // namespace bursar::schemes
