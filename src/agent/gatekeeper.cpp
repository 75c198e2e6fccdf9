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
// Ten seconds. Sooner, gates would be left of which most still close; and those that close later, one by one, save less
// than compiling what relied on them anew.
constexpr int kLooksWithoutLeaving = 40, kLooksWithRenewal = 40;
// Part of all passes.
constexpr double kFrequent = 0.005;
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
  if (looks_ > kLooksWithoutLeaving) let_leave(jni, windows);
}

bool Gatekeeper::close_gates(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows) {
  std::vector<schemes::Gate> needless = schemes::needless_gates(windows, closed_, kLongestNs);
  if (!bridge_.code_renewal().can_renew() || looks_ > kLooksWithRenewal) {
    std::erase_if(needless, [&](schemes::Gate gate) { return with_cost_.contains(gate); });
  }
  for (const schemes::Gate gate : needless) {
    closed_.insert(gate);
    bridge_.close(jni, gate);
    end_forks(jni, session_.gates().method_of(gate));
  }
  renew_code(jni, needless);
  return !needless.empty();
}

// The JIT need not keep both ways of calls that no open gate decides about, or none that its code knows of.
void Gatekeeper::end_forks(JNIEnv* jni, core::MethodId method) {
  const std::vector<GateNumber> gates = session_.gates().gates_of(method);
  const auto all_are = [&](const std::unordered_set<schemes::Gate>& some) {
    return std::all_of(gates.begin(), gates.end(),
                       [&](GateNumber gate) { return closed_.contains(gate) || some.contains(gate); });
  };
  const bool all_closed = all_are({});
  if (!all_closed && !all_are(leaving_)) return;
  for (const GateNumber gate : gates) bridge_.end_forks(jni, gate, !all_closed);
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

// Gates that are passed and did not close will stay open. Windows tell little of them from then on: in the interpreter
// everything takes longer. Those that are passed seldom cost less than compiling their methods anew.
void Gatekeeper::let_leave(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows) {
  if (!bridge_.can_leave() || !bridge_.code_renewal().can_renew()) return;
  std::unordered_set<core::MethodId> methods;
  for (const schemes::Gate gate : schemes::frequent_gates(windows, closed_, kFrequent)) {
    if (!leaving_.contains(gate)) methods.insert(session_.gates().method_of(gate));
  }
  for (const core::MethodId method : methods) {
    const std::vector<GateNumber> gates = session_.gates().gates_of(method);
    for (const GateNumber gate : gates) {
      if (closed_.contains(gate) || !leaving_.insert(gate).second) continue;
      with_cost_.insert(gate);
      bridge_.let_leave(jni, gate);
    }
    end_forks(jni, method);
    bridge_.code_renewal().renew(jni, gates.front());
  }
}

}  // namespace bursar::agent
