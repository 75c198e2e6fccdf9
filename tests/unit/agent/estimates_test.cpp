#include "agent/estimates.h"

#include <gtest/gtest.h>

namespace bursar::agent {
namespace {

struct EstimatesTest : testing::Test {
  profile::ProfileData data = [] {
    profile::ProfileData made;
    made.metrics = {{.name = "calls", .unit = "calls"}};
    made.contexts.columns = {{.value = {400, 0, 400}, .variance = {}}};
    made.edges.columns = {{.value = {400}, .variance = {}}};
    made.threads = {{.name = "main", .context = {0}, .columns = {{.value = {200}, .variance = {}}}}};
    return made;
  }();
  // The first context was seen alike by all groups, the last by one.
  std::vector<core::ByGroup> contexts = {{100, 100, 100, 100}, {}, {400, 0, 0, 0}};
  std::vector<core::ByGroup> edges = {{100, 100, 100, 100}};

  void estimate(double weight) { make_estimates(data, {.weight = weight, .contexts = contexts, .edges = edges}); }
  double variance(std::size_t context) const { return static_cast<double>(data.contexts.columns[0].variance[context]); }
};

TEST_F(EstimatesTest, every_call_stands_for_as_many_as_its_weight) {
  estimate(50);
  EXPECT_EQ(data.metrics[0].kind, profile::MetricKind::kEstimate);
  EXPECT_EQ(data.contexts.columns[0].value, (std::vector<std::uint64_t>{20'000, 0, 20'000}));
  EXPECT_EQ(data.edges.columns[0].value, std::vector<std::uint64_t>{20'000});
  EXPECT_EQ(data.threads[0].columns[0].value, std::vector<std::uint64_t>{10'000});
}

TEST_F(EstimatesTest, what_groups_differ_by_is_what_varies) {
  estimate(50);
  EXPECT_GT(variance(2), 2 * variance(0)) << "seen by one group only";
  EXPECT_GE(variance(0), 400.0 * 50 * 49) << "not less than if every call had been chosen for itself";
  EXPECT_EQ(variance(1), 0);
  EXPECT_NEAR(static_cast<double>(data.threads[0].columns[0].variance[0]), variance(0) / 2, variance(0) * 0.01);
}

TEST_F(EstimatesTest, what_no_group_counted_varies_too) {
  contexts.clear();
  make_estimates(data, {.weight = 50, .weight_of_groups = 20, .contexts = contexts, .edges = edges});
  EXPECT_GT(variance(0), 0);
}

TEST_F(EstimatesTest, what_was_not_seen_had_no_more_calls_than_three_clusters_of_those_that_were_hardly_seen) {
  contexts = {{100, 100, 100, 100}, {0, 0, 9000, 0}};
  data.contexts.columns[0].value = {400, 9000};
  for (std::uint64_t calls = 1; calls <= 9; ++calls) {
    contexts.push_back({calls, 0, 0, 0});
    data.contexts.columns[0].value.push_back(calls);
  }
  estimate(50);
  EXPECT_EQ(data.counters[profile::kUnseenAtMost], 3u * 50 * 9) << "nine of ten are not larger";
}

TEST_F(EstimatesTest, nothing_is_unseen_where_everything_is_counted) {
  estimate(1);
  EXPECT_EQ(data.counters.count(profile::kUnseenAtMost), 0u);
}

TEST_F(EstimatesTest, what_was_seen_for_certain_has_no_variance) {
  estimate(1);
  EXPECT_EQ(data.contexts.columns[0].value, (std::vector<std::uint64_t>{400, 0, 400}));
  EXPECT_EQ(data.contexts.columns[0].variance, (std::vector<profile::Uint128>{0, 0, 0}));
}

}  // namespace
}  // namespace bursar::agent
