#include "agent/gatekeeper.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

// Of a decision, in the time that a program takes while it counts.
constexpr std::uint64_t kLongestNs = 50'000;
constexpr double kDearest = 1 << 16;
constexpr std::uint64_t kLongEnoughNs = 50'000'000;
constexpr double kMostDilation = 1000;
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
  const std::vector<schemes::CheckWindow> windows = session_.check_windows().list();
  close_gates(jni, windows);
  measure_dilation();
  set_costs(jni, windows);
}

// What windows show is the time of bursts, in which everything takes longer, at first in the interpreter. How much
// longer is seen by how many units of it the program passes.
void Gatekeeper::measure_dilation() {
  const Bursts::Counts counts = session_.bursts().counts();
  const std::uint64_t cpu_ns = process_cpu_ns() - counts.cpu_ns;
  if (cpu_ns < seen_cpu_ns_ + kLongEnoughNs) return;
  const double passed_ns = static_cast<double>((counts.checks - seen_checks_) * schemes::kUnitNs);
  const double ratio = passed_ns / static_cast<double>(cpu_ns - seen_cpu_ns_);
  seen_cpu_ns_ = cpu_ns;
  seen_checks_ = counts.checks;
  dilation_ = std::clamp(dilation_ * std::clamp(std::sqrt(ratio), 0.7, 1.4), 1.0, kMostDilation);
}

void Gatekeeper::close_gates(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows) {
  for (const schemes::Gate gate : schemes::needless_gates(windows, closed_, kLongestNs)) {
    closed_.insert(gate);
    bridge_.close(jni, gate);
  }
}

// Bursts and gaps are counted in passes: they are to take as long where gates are few as where they are many. Whatever
// code passes a gate reads what it costs, so that gaps and bursts always agree about it.
void Gatekeeper::set_costs(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows) {
  for (const auto& [gate, ns] : schemes::mean_times(windows, closed_)) {
    const auto cost =
        static_cast<std::int32_t>(std::clamp(static_cast<double>(ns) / (schemes::kUnitNs * dilation_), 1.0, kDearest));
    std::int32_t& known = costs_.try_emplace(gate, Gates::kUnknownCost).first->second;
    if (cost == known) continue;
    known = cost;
    bridge_.set_cost(jni, gate, cost);
  }
}

}  // namespace bursar::agent
