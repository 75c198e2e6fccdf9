#include "analysis/correlation.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/metric_weights.h"

namespace bursar::analysis {
namespace {

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

void add_totals(const ProfileSide& side, const std::vector<std::uint32_t>& position, std::vector<double>& totals) {
  const std::vector<double> by_id = method_totals(*side.profile, *side.metric);
  for (std::size_t id = 0; id < by_id.size(); ++id) {
    const std::uint32_t at = position[side.method_number[id]];
    if (at != profile::kNone) totals[at] += by_id[id];
  }
}

// Where each method number stands among the methods that are not an overflow.
std::vector<std::uint32_t> positions(const ProfilePair& pair, std::uint32_t& count) {
  std::vector<std::uint32_t> position(pair.methods, profile::kNone);
  for (const ProfileSide* side : {&pair.truth, &pair.estimate}) {
    for (std::size_t id = 0; id < side->method_number.size(); ++id) {
      std::uint32_t& at = position[side->method_number[id]];
      if (at == profile::kNone && side->data().methods[id].kind != profile::MethodKind::kOverflow) at = count++;
    }
  }
  return position;
}

}  // namespace

std::vector<double> method_totals(const profile::Profile& profile, std::size_t metric) {
  std::vector<double> totals(profile->methods.size(), 0.0);
  const auto add = [&](const std::vector<profile::MethodId>& method, const profile::Column& column) {
    const std::vector<double> weights = weights_of(column, profile->metrics[metric]);
    for (std::size_t i = 0; i < method.size(); ++i) totals[method[i]] += weights[i];
  };
  add(profile->contexts.method, profile->contexts.columns[metric]);
  const bool has_tree = std::ranges::any_of(totals, [](double total) { return total > 0; });
  if (!has_tree) add(profile->edges.callee, profile->edges.columns[metric]);
  return totals;
}

std::optional<double> correlation(const PairedWeights& weights) {
  if (weights.size() == 0) return std::nullopt;
  const double truth_mean = mean_of(weights.truth);
  const double estimate_mean = mean_of(weights.estimate);
  double truth_square = 0;
  double estimate_square = 0;
  double product = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double x = weights.truth[i] - truth_mean;
    const double y = weights.estimate[i] - estimate_mean;
    truth_square += x * x;
    estimate_square += y * y;
    product += x * y;
  }
  if (truth_square <= 0 || estimate_square <= 0) return std::nullopt;
  const double coefficient = product / (std::sqrt(truth_square) * std::sqrt(estimate_square));
  return 100 * std::clamp(coefficient, -1.0, 1.0);
}

std::optional<double> method_correlation(const ProfilePair& pair) {
  if (!pair.truth.metric || !pair.estimate.metric) return std::nullopt;
  std::uint32_t count = 0;
  const std::vector<std::uint32_t> position = positions(pair, count);
  PairedWeights totals;
  totals.resize(count);
  add_totals(pair.truth, position, totals.truth);
  add_totals(pair.estimate, position, totals.estimate);
  return correlation(totals);
}

}  // namespace bursar::analysis
