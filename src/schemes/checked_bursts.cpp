#include "schemes/checked_bursts.h"

#include <algorithm>
#include <cmath>

namespace bursar::schemes {
namespace {

// Gaps are shorter where the chance is high, and no shorter than a check.
constexpr double kShortest = 20;
// A check stands for 10 ns of the program, and counting makes that at least five times as long.
constexpr double kLeastNs = 50;
// Few bursts take very long, and those make estimates bad: a length that brought one about is given up at once.
constexpr double kMostDown = 0.5, kMostUp = 1.05;
constexpr double kMostChecks = 2e9;

}  // namespace

bool CheckedBursts::begins_in_burst(Pace pace) {
  return part() * static_cast<double>(weight_at(pace)) < chance_;
}

std::int32_t CheckedBursts::burst_length() {
  if (chance_ >= 1) return static_cast<std::int32_t>(kMostChecks);
  return static_cast<std::int32_t>(mean_.load(std::memory_order_relaxed));
}

std::int32_t CheckedBursts::rest_of_burst() {
  const std::int32_t length = burst_length();
  return chance_ >= 1 ? length : 1 + static_cast<std::int32_t>(part() * length);
}

// Geometric, so that no rhythm of the program can meet that of the bursts.
std::int32_t CheckedBursts::gap_length(Pace pace) {
  const double chance = chance_ / static_cast<double>(weight_at(pace));
  const double mean = static_cast<double>(burst_length()) * (1 - chance) / chance;
  const double more = std::floor(std::log1p(-part()) / std::log1p(-1 / std::max(mean, 1 + 1e-9)));
  return static_cast<std::int32_t>(std::min(1 + more, kMostChecks));
}

void CheckedBursts::took(std::uint64_t ns, std::uint64_t to_begin_ns) {
  if (chance_ >= 1) return;
  const double mean = mean_.load(std::memory_order_relaxed);
  const double shortest = kShortest * std::max(1.0, chance_ / (1 - chance_));
  const auto wanted = static_cast<double>(std::max(burst_ns_, to_begin_ns));
  const double longest = wanted / kLeastNs;
  const double ratio = wanted / static_cast<double>(std::max<std::uint64_t>(ns, 1));
  const double next = mean * std::clamp(std::sqrt(ratio), kMostDown, kMostUp);
  mean_.store(std::clamp(next, shortest, std::max(shortest, longest)), std::memory_order_relaxed);
}

}  // namespace bursar::schemes
