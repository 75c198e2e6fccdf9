#include "schemes/checked_bursts.h"

#include <algorithm>
#include <cmath>

namespace bursar::schemes {
namespace {

// Gaps are shorter where the chance is high, and no shorter than a check.
constexpr double kShortest = 20;
constexpr double kMostUnits = 2e9;

}  // namespace

CheckedBursts::CheckedBursts(double chance, std::uint64_t burst_ns, std::uint64_t seed)
    : chance_(chance),
      length_(std::max(static_cast<double>(burst_ns / kUnitNs), kShortest * std::max(1.0, chance / (1 - chance)))),
      random_(seed, 0) {}

bool CheckedBursts::begins_in_burst(Pace pace) {
  return part() * static_cast<double>(weight_at(pace)) < chance_;
}

std::int32_t CheckedBursts::burst_length(Pace pace) const {
  if (chance_ >= 1) return static_cast<std::int32_t>(kMostUnits);
  return static_cast<std::int32_t>(std::min(length_ * std::sqrt(static_cast<double>(weight_at(pace))), kMostUnits));
}

std::int32_t CheckedBursts::rest_of_burst(Pace pace) {
  const std::int32_t length = burst_length(pace);
  return chance_ >= 1 ? length : 1 + static_cast<std::int32_t>(part() * length);
}

// Geometric, so that no rhythm of the program can meet that of the bursts.
std::int32_t CheckedBursts::gap_length(Pace pace) {
  const double chance = chance_ / static_cast<double>(weight_at(pace));
  const double mean = static_cast<double>(burst_length(pace)) * (1 - chance) / chance;
  const double more = std::floor(std::log1p(-part()) / std::log1p(-1 / std::max(mean, 1 + 1e-9)));
  return static_cast<std::int32_t>(std::min(1 + more, kMostUnits));
}

}  // namespace bursar::schemes
