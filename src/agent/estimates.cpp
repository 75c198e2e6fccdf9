#include "agent/estimates.h"

#include <cmath>

namespace bursar::agent {
namespace {

void scale(profile::Column& column, double weight) {
  column.variance.clear();
  for (std::uint64_t& value : column.value) {
    const auto seen = static_cast<double>(value);
    value = static_cast<std::uint64_t>(std::llround(seen * weight));
    column.variance.push_back(static_cast<profile::Uint128>(std::llround(seen * weight * (weight - 1))));
  }
}

}  // namespace

void make_estimates(profile::ProfileData& data, double weight) {
  for (std::size_t i = 0; i < data.metrics.size(); ++i) {
    if (data.metrics[i].name != profile::kCalls) continue;
    data.metrics[i].kind = profile::MetricKind::kEstimate;
    scale(data.contexts.columns[i], weight);
    scale(data.edges.columns[i], weight);
    for (profile::Thread& thread : data.threads) scale(thread.columns[i], weight);
  }
}

}  // namespace bursar::agent
