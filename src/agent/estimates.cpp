#include "agent/estimates.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

namespace bursar::agent {
namespace {

constexpr double kGroups = core::kGroups;
constexpr double kOwnFreedom = kGroups - 1;
// What those of the same size say counts as much as so many more groups; t is Student's for both together.
constexpr double kSharedFreedom = 4;
constexpr double kStudent = 2.365, kNormal = 1.960;
constexpr std::size_t kSizes = 65;  // by the number of bits
// Of Poisson's distribution: with so many to be expected there is one in 95 of 100 cases.
constexpr double kSeldomNone = 3.0;

double sum_of(const core::ByGroup& groups) {
  double sum = 0;
  for (const std::uint64_t count : groups) sum += static_cast<double>(count);
  return sum;
}

// Of the sum.
double variance_of(const core::ByGroup& groups) {
  const double mean = sum_of(groups) / kGroups;
  double squares = 0;
  for (const std::uint64_t count : groups)
    squares += (static_cast<double>(count) - mean) * (static_cast<double>(count) - mean);
  return squares * kGroups / kOwnFreedom;
}

std::size_t size_of(double sum) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(sum)));
}

// Of each row's count. What no group counted (bursts at new stacks, each counted as it is) varies as groups would if
// their bursts weighed no more.
std::vector<double> variances(const std::vector<std::uint64_t>& counts, const std::vector<core::ByGroup>& rows,
                              double weight_of_groups) {
  std::array<double, kSizes> counted{}, varied{};
  double all_counted = 0, all_varied = 0;
  for (const core::ByGroup& groups : rows) {
    const double sum = sum_of(groups), variance = variance_of(groups);
    counted[size_of(sum)] += sum;
    varied[size_of(sum)] += variance;
    all_counted += sum;
    all_varied += variance;
  }
  const double usual = all_counted > 0 ? all_varied / all_counted : 1;
  std::vector<double> result;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const core::ByGroup groups = i < rows.size() ? rows[i] : core::ByGroup{};
    const double sum = sum_of(groups);
    const std::size_t size = size_of(sum);
    const double by_size = counted[size] > 0 ? varied[size] / counted[size] : usual;
    const double both =
        (kOwnFreedom * variance_of(groups) + kSharedFreedom * sum * by_size) / (kOwnFreedom + kSharedFreedom);
    const double others = (static_cast<double>(counts[i]) - sum) * usual / weight_of_groups;
    result.push_back((both + others) * (kStudent * kStudent) / (kNormal * kNormal));
  }
  return result;
}

// How many calls of a context are seen together or not at all: what 19 of 20 contexts do not exceed, of those that
// one group saw and no other.
double large_cluster(const std::vector<core::ByGroup>& rows) {
  std::vector<std::uint64_t> clusters;
  for (const core::ByGroup& groups : rows) {
    if (std::count(groups.begin(), groups.end(), 0) == core::kGroups - 1)
      clusters.push_back(*std::max_element(groups.begin(), groups.end()));
  }
  if (clusters.empty()) return 1;
  const auto at = clusters.begin() + static_cast<std::ptrdiff_t>((clusters.size() - 1) * 19 / 20);
  std::nth_element(clusters.begin(), at, clusters.end());
  return static_cast<double>(*at);
}

// A call that was counted stands for `weight`; that it was counted at all was left to chance as well.
void scale(profile::Column& column, double weight, const std::vector<double>& between) {
  column.variance.clear();
  for (std::size_t i = 0; i < column.value.size(); ++i) {
    const auto counted = static_cast<double>(column.value[i]);
    const double variance = std::max(between[i], counted) * weight * (weight - 1);
    column.value[i] = static_cast<std::uint64_t>(std::llround(counted * weight));
    column.variance.push_back(static_cast<profile::Uint128>(std::max(0.0, std::round(variance))));
  }
}

}  // namespace

void make_estimate(profile::Column& column, const std::vector<core::ByGroup>& rows, double weight,
                   std::uint64_t weight_of_groups) {
  scale(column, weight, variances(column.value, rows, static_cast<double>(weight_of_groups)));
}

void make_estimates(profile::ProfileData& data, const Seen& seen) {
  for (std::size_t m = 0; m < data.metrics.size(); ++m) {
    if (data.metrics[m].name != profile::kCalls) continue;
    data.metrics[m].kind = profile::MetricKind::kEstimate;
    const auto weight_of_groups = static_cast<double>(seen.weight_of_groups);
    const std::vector<double> of_contexts = variances(data.contexts.columns[m].value, seen.contexts, weight_of_groups);
    if (seen.weight > 1)
      data.counters[profile::kUnseenAtMost] =
          static_cast<std::uint64_t>(std::ceil(kSeldomNone * seen.weight * large_cluster(seen.contexts)));
    // A thread's part of a context has its part of the variance.
    for (profile::Thread& thread : data.threads) {
      std::vector<double> parts;
      for (std::size_t i = 0; i < thread.context.size(); ++i) {
        const std::size_t context = thread.context[i];
        const auto whole = static_cast<double>(data.contexts.columns[m].value[context]);
        parts.push_back(whole > 0 ? of_contexts[context] * static_cast<double>(thread.columns[m].value[i]) / whole : 0);
      }
      scale(thread.columns[m], seen.weight, parts);
    }
    scale(data.contexts.columns[m], seen.weight, of_contexts);
    make_estimate(data.edges.columns[m], seen.edges, seen.weight, seen.weight_of_groups);
  }
}

}  // namespace bursar::agent
