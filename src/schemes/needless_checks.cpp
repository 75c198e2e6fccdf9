#include "schemes/needless_checks.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace bursar::schemes {
namespace {

// Fewer may be chance, or one phase of the program.
constexpr std::uint32_t kEnough = 32, kEnoughWindows = 8;
// In one of so many cases a decision may be older than it should be.
constexpr std::uint32_t kMostOld = 20;
// In so many of a hundred it must be seen that it is not.
constexpr std::uint32_t kFewestYoung = 60;
// Where in more than one of so many cases another frame of its method has passed it and still runs, methods call each
// other: what is a moment for inner frames, which are most, is long for outer ones, which decide for all the others.
constexpr std::uint32_t kMostNested = 50;

class Choice {
 public:
  Choice(std::span<const CheckWindow> windows, const std::unordered_set<Gate>& given_up, std::uint64_t longest_ns)
      : windows_(windows), longest_ns_(longest_ns), given_up_(given_up) {
    for (std::uint32_t w = 0; w < windows.size(); ++w) {
      for (const PassedGate& passed : windows[w]) {
        if (given_up.contains(passed.gate)) continue;
        Uses& uses = uses_[passed.gate];
        ++uses.times;
        if (uses.windows.empty() || uses.windows.back() != w) uses.windows.push_back(w);
      }
    }
  }

  // The most frequent ones first: what they rely on stays, if one of two must.
  std::vector<Gate> take() {
    std::vector<std::pair<std::uint32_t, Gate>> by_times;
    for (const auto& [gate, uses] : uses_) {
      if (uses.times >= kEnough && uses.windows.size() >= kEnoughWindows) by_times.emplace_back(uses.times, gate);
    }
    std::sort(by_times.begin(), by_times.end(), [](const auto& a, const auto& b) {
      return std::tuple(b.first, a.second) < std::tuple(a.first, b.second);
    });
    std::vector<Gate> needless;
    for (const auto& [times, gate] : by_times) {
      Age age;
      for (const std::uint32_t window : uses_[gate].windows) without(gate, windows_[window], age);
      if (age.old * kMostOld > age.young || 100 * age.young < kFewestYoung * times) continue;
      if (age.nested * kMostNested > times) continue;
      given_up_.insert(gate);
      needless.push_back(gate);
    }
    return needless;
  }

 private:
  struct Uses {
    std::uint32_t times = 0;
    std::vector<std::uint32_t> windows;
  };
  struct Age {
    std::uint32_t young = 0, old = 0, nested = 0;
  };
  struct Decision {
    std::size_t depth;
    std::uint64_t at_ns;
  };

  // How old the decisions are that would hold where this gate decides. Where none is seen yet it may have been before
  // the window.
  void without(Gate gate, const CheckWindow& window, Age& age) {
    running_.clear();
    own_.clear();
    for (const PassedGate& passed : window) {
      while (!running_.empty() && running_.back().depth > passed.depth) running_.pop_back();
      while (!own_.empty() && own_.back() >= passed.depth) own_.pop_back();
      const bool is_it = passed.gate == gate;
      if (is_it && !own_.empty()) ++age.nested;
      if (is_it) own_.push_back(passed.depth);
      const std::uint64_t since_ns = running_.empty() ? window.front().at_ns : running_.back().at_ns;
      if (is_it && passed.at_ns - since_ns > longest_ns_) {
        ++age.old;
      } else if (is_it && !running_.empty()) {
        ++age.young;
      }
      if (is_it || given_up_.contains(passed.gate)) continue;
      if (!running_.empty() && running_.back().depth == passed.depth) running_.pop_back();
      running_.push_back({passed.depth, passed.at_ns});
    }
  }

  std::span<const CheckWindow> windows_;
  const std::uint64_t longest_ns_;
  std::unordered_set<Gate> given_up_;
  std::unordered_map<Gate, Uses> uses_;
  std::vector<Decision> running_;  // for calls that still run, the deepest last
  std::vector<std::size_t> own_;   // depths of the gate's own passes, likewise
};

}  // namespace

std::vector<Gate> needless_gates(std::span<const CheckWindow> windows, const std::unordered_set<Gate>& given_up,
                                 std::uint64_t longest_ns) {
  return Choice(windows, given_up, longest_ns).take();
}

std::unordered_map<Gate, std::uint64_t> mean_times(std::span<const CheckWindow> windows,
                                                   const std::unordered_set<Gate>& given_up) {
  struct Sum {
    std::uint64_t ns = 0, times = 0;
  };
  std::unordered_map<Gate, Sum> sums;
  for (const CheckWindow& window : windows) {
    const PassedGate* last = nullptr;
    for (const PassedGate& passed : window) {
      // The last one may have had longer to go.
      const bool is_end = &passed == &window.back();
      if (given_up.contains(passed.gate) && !is_end) continue;
      if (last != nullptr) {
        Sum& sum = sums[last->gate];
        sum.ns += passed.at_ns - last->at_ns;
        ++sum.times;
      }
      last = &passed;
    }
  }
  std::unordered_map<Gate, std::uint64_t> means;
  for (const auto& [gate, sum] : sums) {
    if (!given_up.contains(gate)) means[gate] = sum.ns / sum.times;
  }
  return means;
}

}  // namespace bursar::schemes
