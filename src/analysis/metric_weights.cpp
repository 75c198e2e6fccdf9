#include "analysis/metric_weights.h"

#include <cmath>

namespace bursar::analysis {

std::optional<std::size_t> find_metric(const profile::Profile& profile, const std::string& name) {
  for (std::size_t i = 0; i < profile->metrics.size(); ++i) {
    if (profile->metrics[i].name == name) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> default_metric(const profile::Profile& profile) {
  if (const auto calls = find_metric(profile, profile::kCalls)) return calls;
  if (const auto weight = find_metric(profile, profile::kWeight)) return weight;
  if (const auto samples = find_metric(profile, profile::kSamples)) return samples;
  if (profile->metrics.empty()) return std::nullopt;
  return 0;
}

base::Result<std::optional<std::size_t>> choose_metric(const profile::Profile& profile, const std::string& name) {
  if (name.empty()) return default_metric(profile);
  if (const auto found = find_metric(profile, name)) return std::optional(*found);
  std::string known;
  for (const auto& metric : profile->metrics) known += (known.empty() ? "" : ", ") + metric.name;
  return base::Error{"the profile has no metric '" + name + "'; it has " + (known.empty() ? "none" : known)};
}

double step_of(const profile::Metric& metric) {
  return std::ldexp(1.0, -static_cast<int>(metric.scale_log2));
}

std::vector<double> weights_of(const profile::Column& column, const profile::Metric& metric) {
  const double step = step_of(metric);
  std::vector<double> weights;
  weights.reserve(column.value.size());
  for (const std::uint64_t value : column.value) weights.push_back(static_cast<double>(value) * step);
  return weights;
}

std::vector<double> variances_of(const profile::Column& column, const profile::Metric& metric) {
  if (column.variance.empty()) return std::vector<double>(column.value.size(), 0.0);
  const double step = step_of(metric) * step_of(metric);
  std::vector<double> variances;
  variances.reserve(column.variance.size());
  for (const profile::Uint128 variance : column.variance) variances.push_back(static_cast<double>(variance) * step);
  return variances;
}

}  // namespace bursar::analysis
