#include "agent/gatekeeper.h"

#include <algorithm>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

// From one check to the next, of the program's own time. Counting makes it twenty times as long.
constexpr std::uint64_t kLongestNs = 5'000, kShortestNs = 1'000;
constexpr std::int8_t kMostPasses = 63;
constexpr std::chrono::milliseconds kFirstPause(200), kLongestPause(5'000);

}  // namespace

std::string Gatekeeper::start(JNIEnv* jni) {
  began_ns_ = monotonic_ns();
  return thread_.start(
      jni, [this](JNIEnv* own) { look(own); },
      [this] { return pause_ = std::clamp(pause_ * 5 / 4, kFirstPause, kLongestPause); });
}

void Gatekeeper::look(JNIEnv* jni) {
  session_.bursts().ran(process_cpu_ns(), monotonic_ns() - began_ns_);
  for (const schemes::Check check : schemes::needless_checks(session_.check_windows().list(), closed_, kLongestNs)) {
    closed_.insert(check);
    bridge_.close(jni, check);
  }
  for (const core::MethodId method : schemes::hasty_loops(session_.check_windows().take_new(), closed_, kShortestNs)) {
    std::int8_t& passes = passes_[method];
    if (passes >= kMostPasses) continue;
    passes = static_cast<std::int8_t>(4 * passes + 3);
    bridge_.set_passes(jni, method, passes);
  }
}

}  // namespace bursar::agent
