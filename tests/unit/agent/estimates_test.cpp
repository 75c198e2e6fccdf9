#include "agent/estimates.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

TEST(Estimates, every_call_stands_for_as_many_as_its_weight) {
  profile::ProfileData data;
  data.metrics = {{.name = "calls", .unit = "calls"}};
  data.contexts.columns = {{.value = {3, 0}, .variance = {}}};
  data.edges.columns = {{.value = {2}, .variance = {}}};
  data.threads = {{.name = "main", .context = {0}, .columns = {{.value = {1}, .variance = {}}}}};
  make_estimates(data, 50);
  EXPECT_EQ(data.metrics[0].kind, profile::MetricKind::kEstimate);
  EXPECT_EQ(data.contexts.columns[0].value, (std::vector<std::uint64_t>{150, 0}));
  EXPECT_EQ(data.contexts.columns[0].variance, (std::vector<profile::Uint128>{3 * 50 * 49, 0}));
  EXPECT_EQ(data.edges.columns[0].value, std::vector<std::uint64_t>{100});
  EXPECT_EQ(data.threads[0].columns[0].value, std::vector<std::uint64_t>{50});
}

TEST(Estimates, what_was_seen_for_certain_has_no_variance) {
  profile::ProfileData data;
  data.metrics = {{.name = "calls", .unit = "calls"}};
  data.contexts.columns = {{.value = {7}, .variance = {}}};
  data.edges.columns = {{}};
  make_estimates(data, 1);
  EXPECT_EQ(data.contexts.columns[0].value, std::vector<std::uint64_t>{7});
  EXPECT_EQ(data.contexts.columns[0].variance, std::vector<profile::Uint128>{0});
}

}  // namespace
}  // namespace bursar::agent
