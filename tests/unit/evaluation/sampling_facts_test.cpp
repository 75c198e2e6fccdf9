#include "evaluation/sampling_facts.h"

#include <gtest/gtest.h>

#include "export/folded.h"
#include "profile/freeze.h"

namespace bursar::evaluation {
namespace {

profile::ProfileData sampled(std::size_t points) {
  profile::ProfileData data = exports::import_folded("x.M.a 1\n", "calls")->data();
  for (const char* name : {"main", "worker"}) {
    profile::Thread thread{};
    thread.name = name;
    thread.columns.resize(data.metrics.size());
    data.threads.push_back(thread);
  }
  const auto first = static_cast<std::uint32_t>(data.threads.size() - 2);
  profile::Series density{
      .name = "call_density", .unit = "calls per 1000 cycles", .time_ns = {}, .thread = {}, .value = {}};
  profile::Series latency{.name = "sampling_latency", .unit = "cycles", .time_ns = {}, .thread = {}, .value = {}};
  for (std::size_t i = 0; i < points; ++i) {
    for (profile::Series* series : {&density, &latency}) {
      series->time_ns.push_back(1'000'000'000 * (i + 1));
      series->thread.push_back(first + (i % 3 == 0 ? 0 : 1));
    }
    density.value.push_back(static_cast<double>(i + 1));
    latency.value.push_back(static_cast<double>(100 * i));
  }
  data.series = {density, latency};
  return data;
}

TEST(SamplingFacts, are_of_profiles_with_density_and_latency_only) {
  EXPECT_TRUE(sampling_facts(*exports::import_folded("x.M.a 1\n", "calls")).is_null());
  profile::ProfileData data = sampled(3);
  data.series.pop_back();
  EXPECT_TRUE(sampling_facts(*profile::freeze(std::move(data))).is_null());
}

TEST(SamplingFacts, tell_how_values_are_spread_and_when_they_were) {
  const auto profile = profile::freeze(sampled(5));
  ASSERT_TRUE(profile);
  const Json facts = sampling_facts(*profile);
  EXPECT_EQ(facts["call_density"]["least"], 1.0);
  EXPECT_EQ(facts["call_density"]["most"], 5.0);
  EXPECT_EQ(facts["call_density"]["median"], 3.0);
  EXPECT_EQ(facts["sampling_latency"]["mean"], 200.0);
  EXPECT_EQ(facts["sampling_latency"]["quantiles"].size(), 21U);
  // The busier thread comes first.
  EXPECT_EQ(facts["over_time"]["threads"], Json({"worker", "main"}));
  EXPECT_EQ(facts["over_time"]["points"][1], Json({2.0, 2.0, 100.0, 0}));
  EXPECT_EQ(facts["over_time"]["points"][3], Json({4.0, 4.0, 300.0, 1}));
}

TEST(SamplingFacts, have_no_more_points_than_a_plot_can_show) {
  const auto profile = profile::freeze(sampled(5000));
  ASSERT_TRUE(profile);
  const Json facts = sampling_facts(*profile);
  EXPECT_EQ(facts["call_density"]["points"], 5000);
  EXPECT_LE(facts["over_time"]["points"].size(), 600U);
  EXPECT_GE(facts["over_time"]["points"].size(), 300U);
}

}  // namespace
}  // namespace bursar::evaluation
