#include "analysis/metric_weights.h"

#include <gtest/gtest.h>

#include "profile/freeze.h"

namespace bursar::analysis {
namespace {

profile::Profile with_metrics(const std::vector<std::string>& names) {
  profile::ProfileData data;
  for (const std::string& name : names) data.metrics.push_back({name, "", profile::MetricKind::kExact, 0});
  return profile::freeze(std::move(data)).value();
}

std::string default_name(const profile::Profile& profile) {
  const auto metric = default_metric(profile);
  return metric ? profile->metrics[*metric].name : "nothing";
}

TEST(MetricWeights, prefer_calls_then_samples_then_the_first) {
  EXPECT_EQ(default_name(with_metrics({"allocations", "calls", "samples"})), "calls");
  EXPECT_EQ(default_name(with_metrics({"allocations", "samples"})), "samples");
  EXPECT_EQ(default_name(with_metrics({"bytecodes", "allocations"})), "allocations");
  EXPECT_EQ(default_name(with_metrics({})), "nothing");
}

TEST(MetricWeights, name_the_metrics_there_are_when_one_is_missing) {
  EXPECT_EQ(choose_metric(with_metrics({"allocations", "calls"}), "cycles").error().message,
            "the profile has no metric 'cycles'; it has allocations, calls");
  EXPECT_EQ(choose_metric(with_metrics({}), "cycles").error().message,
            "the profile has no metric 'cycles'; it has none");
  EXPECT_EQ(choose_metric(with_metrics({"allocations", "calls"}), "allocations").value(),
            std::optional<std::size_t>(0));
}

TEST(MetricWeights, divide_fixed_point_numbers_by_their_scale) {
  const profile::Metric metric{"calls", "", profile::MetricKind::kEstimate, 3};
  const profile::Column column{{8, 12, 0}, {64, 128, 0}};
  EXPECT_EQ(weights_of(column, metric), (std::vector<double>{1, 1.5, 0}));
  EXPECT_EQ(variances_of(column, metric), (std::vector<double>{1, 2, 0}));
}

TEST(MetricWeights, take_exact_numbers_as_certain) {
  const profile::Metric metric{"calls", "", profile::MetricKind::kExact, 0};
  EXPECT_EQ(variances_of({{8, 12}, {}}, metric), (std::vector<double>{0, 0}));
}

}  // namespace
}  // namespace bursar::analysis
