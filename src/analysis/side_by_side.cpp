#include "analysis/side_by_side.h"

#include <optional>
#include <utility>

#include "analysis/metric_weights.h"
#include "profile/freeze.h"
#include "profile/merge.h"

namespace bursar::analysis {

namespace {

base::Result<profile::Profile> one_metric(const profile::Profile& profile, std::size_t metric, const char* name) {
  const profile::ProfileData& from = profile.data();
  profile::ProfileData data;
  data.identity = from.identity;
  data.methods = from.methods;
  data.metrics = {from.metrics[metric]};
  data.metrics[0].name = name;
  data.contexts.parent = from.contexts.parent;
  data.contexts.method = from.contexts.method;
  data.contexts.site = from.contexts.site;
  data.contexts.columns = {from.contexts.columns[metric]};
  return profile::freeze(std::move(data));
}

bool samples(const profile::Metric& metric) {
  return metric.kind == profile::MetricKind::kSamples;
}

}  // namespace

base::Result<SideBySide> side_by_side(const profile::Profile& before, const profile::Profile& after,
                                      const std::string& metric) {
  const auto first = choose_metric(before, metric);
  if (!first) return base::Error{"before: " + first.error().message};
  const auto second = choose_metric(after, metric);
  if (!second) return base::Error{"after: " + second.error().message};
  if (!*first || !*second) return base::Error{"a profile without any metric has nothing to compare"};
  const profile::Metric& counted_before = before.data().metrics[**first];
  const profile::Metric& counted_after = after.data().metrics[**second];
  if (counted_before.name != counted_after.name || samples(counted_before) != samples(counted_after)) {
    return base::Error{"one profile counts " + counted_before.name + " (" +
                       std::string(profile::kind_word(counted_before.kind)) + "), the other " + counted_after.name +
                       " (" + std::string(profile::kind_word(counted_after.kind)) +
                       "): there is no difference to tell"};
  }
  const auto left = one_metric(before, **first, kBefore);
  if (!left) return left.error();
  const auto right = one_metric(after, **second, kAfter);
  if (!right) return right.error();
  auto both = profile::merge(*left, *right);
  if (!both) return both.error();
  SideBySide result;
  result.both = std::move(both).value();
  result.before = *find_metric(result.both, kBefore);
  result.after = *find_metric(result.both, kAfter);
  result.metric = counted_before.name;
  return result;
}

}  // namespace bursar::analysis
