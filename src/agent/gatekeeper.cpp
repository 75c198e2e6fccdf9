#include "agent/gatekeeper.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

// Of a decision, in the program's own time. Counting makes it many times as long.
constexpr std::uint64_t kLongestNs = 200'000;
// What a pass counts as is settled when gates no longer close.
constexpr int kLooksWithoutCosts = 10;
constexpr std::uint64_t kUnitNs = 10;
constexpr int kMostPower = 16;
constexpr std::chrono::milliseconds kFirstPause(100), kLongestPause(5'000);

}  // namespace

std::string Gatekeeper::start(JNIEnv* jni) {
  began_ns_ = monotonic_ns();
  return thread_.start(
      jni, [this](JNIEnv* own) { look(own); },
      [this] { return pause_ = std::clamp(pause_ * 26 / 25, kFirstPause, kLongestPause); });
}

void Gatekeeper::look(JNIEnv* jni) {
  session_.bursts().ran(process_cpu_ns(), monotonic_ns() - began_ns_);
  bridge_.code_renewal().watch(jni, session_.gates());
  const std::vector<schemes::CheckWindow> windows = session_.check_windows().list();
  const bool closed_some = close_gates(jni, windows);
  if (++looks_ > kLooksWithoutCosts && !closed_some) set_costs(jni, windows);
}

bool Gatekeeper::close_gates(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows) {
  std::vector<schemes::Gate> needless = schemes::needless_gates(windows, closed_, kLongestNs);
  if (!bridge_.code_renewal().can_renew()) {
    std::erase_if(needless, [&](schemes::Gate gate) { return with_cost_.contains(gate); });
  }
  for (const schemes::Gate gate : needless) {
    closed_.insert(gate);
    bridge_.close(jni, gate);
    const std::vector<GateNumber> of_method = session_.gates().gates_of(session_.gates().method_of(gate));
    if (!std::all_of(of_method.begin(), of_method.end(), [&](GateNumber other) { return closed_.contains(other); }))
      continue;
    for (const GateNumber other : of_method) bridge_.end_forks(jni, other);
  }
  renew_code(jni, needless);
  return !needless.empty();
}

// A gate whose cost the JIT took for constant would stay open in its code: gaps would go on to be counted in passes
// that bursts, in copies compiled earlier or later, do not count any more, or the other way round.
void Gatekeeper::renew_code(JNIEnv* jni, const std::vector<schemes::Gate>& closed) {
  std::unordered_set<core::MethodId> renewed;
  for (const schemes::Gate gate : closed) {
    if (with_cost_.contains(gate) && renewed.insert(session_.gates().method_of(gate)).second) {
      bridge_.code_renewal().renew(jni, gate);
    }
  }
}

// Bursts and gaps are counted in passes: they are to take as long where gates are few as where they are many.
void Gatekeeper::set_costs(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows) {
  for (const auto& [gate, ns] : schemes::mean_times(windows, closed_)) {
    if (ns < 2 * kUnitNs || !with_cost_.insert(gate).second) continue;
    const int power = static_cast<int>(std::bit_width(ns / kUnitNs)) - 1;
    bridge_.set_cost(jni, gate, static_cast<std::int8_t>(std::min(power, kMostPower)));
  }
}

}  // namespace bursar::agent
