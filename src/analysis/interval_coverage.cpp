#include "analysis/interval_coverage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace bursar::analysis {
namespace {

constexpr std::size_t kHottest = 1000;
constexpr double kDeviations = 1.96;

bool applies(const ProfilePair& pair) {
  if (!pair.truth.metric || !pair.estimate.metric) return false;
  const profile::Metric& truth = pair.truth.data().metrics[*pair.truth.metric];
  const profile::Metric& estimate = pair.estimate.data().metrics[*pair.estimate.metric];
  return truth.kind == profile::MetricKind::kExact && estimate.kind == profile::MetricKind::kEstimate &&
         truth.name == estimate.name;
}

std::vector<std::uint32_t> hottest_of_truth(const JointTree& tree) {
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    if (tree.weight.truth[node] > 0 && !tree.in_overflow(node)) nodes.push_back(node);
  }
  const auto hotter = [&](std::uint32_t a, std::uint32_t b) {
    // Of equally hot contexts the first in canonical order, so that the choice does not depend on the library.
    return tree.weight.truth[a] != tree.weight.truth[b] ? tree.weight.truth[a] > tree.weight.truth[b] : a < b;
  };
  if (nodes.size() > kHottest) {
    std::nth_element(nodes.begin(), nodes.begin() + kHottest, nodes.end(), hotter);
    nodes.resize(kHottest);
  }
  return nodes;
}

}  // namespace

std::optional<IntervalCoverage> interval_coverage(const ProfilePair& pair, const JointTree& tree) {
  if (!applies(pair) || tree.estimate_variance.empty()) return std::nullopt;
  IntervalCoverage coverage;
  const std::map<std::string, std::uint64_t>& counters = pair.estimate.data().counters;
  const auto stated = counters.find(profile::kUnseenAtMost);
  const double unseen_at_most = stated != counters.end() ? static_cast<double>(stated->second) : 0;
  for (const std::uint32_t node : hottest_of_truth(tree)) {
    const bool known = tree.in_estimate(node);
    const double half_width = known ? kDeviations * std::sqrt(tree.estimate_variance[node]) : unseen_at_most;
    ++coverage.contexts;
    coverage.held += std::abs(tree.weight.estimate[node] - tree.weight.truth[node]) <= half_width;
    coverage.missing += !known;
  }
  if (coverage.contexts == 0) return std::nullopt;
  coverage.percent = 100 * static_cast<double>(coverage.held) / static_cast<double>(coverage.contexts);
  return coverage;
}

}  // namespace bursar::analysis
