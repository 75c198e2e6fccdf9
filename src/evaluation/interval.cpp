#include "evaluation/interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "evaluation/summary.h"

namespace bursar::evaluation {

namespace {

constexpr std::size_t kResamples = 4000;
constexpr double kNormal975 = 1.959963984540054;

// Student's 97.5 % point (Abramowitz and Stegun 26.7.5); off by less than 0.01 from 4 degrees of freedom on.
double student_975(double degrees) {
  const double z = kNormal975, z3 = z * z * z, z5 = z3 * z * z, z7 = z5 * z * z, z9 = z7 * z * z;
  return z + (z3 + z) / 4 / degrees + (5 * z5 + 16 * z3 + 3 * z) / 96 / std::pow(degrees, 2) +
         (3 * z7 + 19 * z5 + 17 * z3 - 15 * z) / 384 / std::pow(degrees, 3) +
         (79 * z9 + 776 * z7 + 1482 * z5 - 1920 * z3 - 945 * z) / 92160 / std::pow(degrees, 4);
}

double normal_cdf(double x) {
  return std::erfc(-x / std::numbers::sqrt2) / 2;
}

std::vector<double> resampled_medians(const std::vector<double>& values) {
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
  std::vector<double> medians(kResamples), sample(values.size());
  for (double& each : medians) {
    for (double& value : sample) value = values[any(random)];
    each = median(sample);
  }
  return medians;
}

}  // namespace

Json paired_ratio(const std::vector<double>& baseline, const std::vector<double>& variant) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < std::min(baseline.size(), variant.size()); ++i) {
    if (!(baseline[i] > 0 && variant[i] > 0)) return nullptr;
    logs.push_back(std::log(variant[i] / baseline[i]));
  }
  if (logs.empty()) return nullptr;
  Json result = {{"ratio", std::exp(median(logs))}, {"low", nullptr}, {"high", nullptr}};
  if (logs.size() < kLeastRounds) return result;
  std::vector<double> ordered = resampled_medians(logs);
  std::sort(ordered.begin(), ordered.end());
  const auto rounds = static_cast<double>(logs.size());
  const double tail = normal_cdf(-std::sqrt(rounds / (rounds - 1)) * student_975(rounds - 1));
  const auto skipped = static_cast<std::size_t>(tail * static_cast<double>(kResamples));
  result["low"] = std::exp(ordered[skipped]);
  result["high"] = std::exp(ordered[kResamples - 1 - skipped]);
  return result;
}

}  // namespace bursar::evaluation
