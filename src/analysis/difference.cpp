#include "analysis/difference.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "analysis/metric_weights.h"

namespace bursar::analysis {

namespace {

// Weights and variances of one side.
struct Side {
  std::vector<double> weight;
  std::vector<double> variance;
  double variance_per_unit = 0;  // of an estimate, as most of its numbers have it

  Side(const profile::Profile& both, std::size_t metric) {
    const profile::Column& column = both.data().contexts.columns[metric];
    const profile::Metric& of = both.data().metrics[metric];
    weight = weights_of(column, of);
    // Samples come and go as in a Poisson process.
    variance = of.kind == profile::MetricKind::kSamples ? weight : variances_of(column, of);
    if (of.kind == profile::MetricKind::kEstimate) variance_per_unit = median_ratio();
  }

  double median_ratio() const {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < weight.size(); ++i) {
      if (weight[i] > 0) ratios.push_back(variance[i] / weight[i]);
    }
    if (ratios.empty()) return 0;
    const auto middle = ratios.begin() + static_cast<std::ptrdiff_t>(ratios.size() / 2);
    std::nth_element(ratios.begin(), middle, ratios.end());
    return *middle;
  }

  // What an estimate did not see at all it may have missed: its 0 is as uncertain as the other side's number would be.
  double variance_beside(const Side& other, std::size_t context) const {
    return weight[context] > 0 ? variance[context] : variance[context] + variance_per_unit * other.weight[context];
  }
};

struct Sums {
  double before = 0, after = 0, before_variance = 0, after_variance = 0;

  void add(const Side& b, const Side& a, std::size_t context) {
    before += b.weight[context];
    after += a.weight[context];
    before_variance += b.variance_beside(a, context);
    after_variance += a.variance_beside(b, context);
  }
  Change change() const { return {{before, std::sqrt(before_variance)}, {after, std::sqrt(after_variance)}}; }
};

// Takes out the noise, counting it, and sorts the rest.
template <class Row>
std::size_t keep_changes(std::vector<Row>& rows) {
  const double limit = noise_limit(rows.size());
  std::size_t noise = 0;
  std::erase_if(rows, [&](const Row& row) {
    if (row.own.difference() == 0) return true;
    const bool is_noise = std::abs(row.own.difference()) <= limit * row.own.deviation();
    noise += is_noise;
    return is_noise;
  });
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::abs(a.own.difference()) > std::abs(b.own.difference());
  });
  return noise;
}

}  // namespace

double Change::deviation() const {
  return std::hypot(before.deviation, after.deviation);
}

double noise_limit(std::size_t numbers) {
  const double chance = 0.05 / static_cast<double>(std::max<std::size_t>(numbers, 1));
  double low = 0, high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (std::erfc(middle / std::sqrt(2.0)) > chance ? low : high) = middle;
  }
  return high;
}

base::Result<Difference> difference(const profile::Profile& before, const profile::Profile& after,
                                    const std::string& metric) {
  auto sides = side_by_side(before, after, metric);
  if (!sides) return sides.error();
  Difference result;
  result.sides = std::move(sides).value();
  const profile::ProfileData& data = result.sides.both.data();
  const Side b(result.sides.both, result.sides.before), a(result.sides.both, result.sides.after);

  Sums total;
  std::vector<Sums> by_method(data.methods.size());
  for (profile::ContextId id = 0; id < data.contexts.size(); ++id) {
    const profile::MethodId method = data.contexts.method[id];
    total.add(b, a, id);
    by_method[method].add(b, a, id);
    if (data.methods[method].kind == profile::MethodKind::kOverflow) continue;
    Sums own;
    own.add(b, a, id);
    result.contexts.push_back({id, own.change()});
  }
  result.total = total.change();
  for (profile::MethodId method = 0; method < data.methods.size(); ++method) {
    if (data.methods[method].kind == profile::MethodKind::kOverflow) continue;
    result.methods.push_back({method, by_method[method].change()});
  }
  result.methods_within_error = keep_changes(result.methods);
  result.contexts_within_error = keep_changes(result.contexts);
  return result;
}

}  // namespace bursar::analysis
