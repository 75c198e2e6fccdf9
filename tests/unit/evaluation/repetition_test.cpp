#include "evaluation/repetition.h"

#include <gtest/gtest.h>

#include <random>

#include "profile/freeze.h"

namespace bursar::evaluation {
namespace {

profile::Profile samples(std::uint64_t seed, const char* metric = profile::kSamples) {
  std::mt19937_64 random(seed);
  profile::ProfileData data;
  const auto kind =
      metric == std::string(profile::kSamples) ? profile::MetricKind::kSamples : profile::MetricKind::kExact;
  data.metrics = {{metric, "", kind, 0}};
  data.contexts.columns.resize(1);
  for (std::uint32_t i = 0; i < 50; ++i) {
    data.methods.push_back({"C", "m" + std::to_string(i), "()V"});
    data.contexts.parent.push_back(i == 0 ? profile::kNone : (i - 1) / 2);
    data.contexts.method.push_back(i);
    data.contexts.site.push_back(profile::kNoSite);
    data.contexts.columns[0].value.push_back(std::poisson_distribution<std::uint64_t>(1000.0 / (i + 1))(random));
  }
  data.edges.columns.resize(1);
  return profile::freeze(std::move(data)).value();
}

TEST(Repetition, runs_of_one_distribution_agree_as_far_as_noise_lets_them) {
  const auto agreement = agreement_of(samples(1), samples(2), 7);
  ASSERT_TRUE(agreement.ok());
  EXPECT_GT((*agreement)["correlation"], 98.0);
  EXPECT_GT((*agreement)["overlap"], 90.0);
  EXPECT_LT((*agreement)["overlap"], 99.0);
  EXPECT_NEAR((*agreement)["noise_overlap"].get<double>(), (*agreement)["overlap"].get<double>(), 2);
  EXPECT_NEAR((*agreement)["noise_correlation"].get<double>(), (*agreement)["correlation"].get<double>(), 1);
  EXPECT_FALSE(agreement->contains("activation_correlation"));
}

// One method is hot in samples, another in activations: each metric has its correlation.
TEST(Repetition, activations_have_a_correlation_of_their_own) {
  const auto run = [](std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    profile::ProfileData data;
    data.metrics = {{profile::kSamples, "", profile::MetricKind::kSamples, 0},
                    {profile::kActivations, "", profile::MetricKind::kSamples, 0}};
    data.contexts.columns.resize(2);
    data.edges.columns.resize(2);
    for (std::uint32_t i = 0; i < 3; ++i) {
      data.methods.push_back({"C", "m" + std::to_string(i), "()V"});
      data.contexts.parent.push_back(i == 0 ? profile::kNone : i - 1);
      data.contexts.method.push_back(i);
      data.contexts.site.push_back(profile::kNoSite);
      data.contexts.columns[0].value.push_back(10 * (i + 1));
    }
    data.contexts.columns[1].value = {first, second, third};
    return profile::freeze(std::move(data)).value();
  };
  const auto same = agreement_of(run(1, 5, 9), run(2, 10, 18), 7);
  ASSERT_TRUE(same.ok());
  EXPECT_NEAR((*same)["activation_correlation"].get<double>(), 100, 1e-9);
  const auto reverse = agreement_of(run(1, 5, 9), run(9, 5, 1), 7);
  EXPECT_NEAR((*reverse)["correlation"].get<double>(), 100, 1e-9);
  EXPECT_NEAR((*reverse)["activation_correlation"].get<double>(), -100, 1e-9);
}

TEST(Repetition, what_does_not_sample_has_no_such_noise) {
  const auto agreement = agreement_of(samples(1, "calls"), samples(2, "calls"), 7);
  ASSERT_TRUE(agreement.ok());
  EXPECT_FALSE(agreement->contains("noise_overlap"));
}

Json row(double total, Json agreement) {
  return {{"size", {{"calls", total}}}, {"agreement", std::move(agreement)}};
}

TEST(Repetition, is_the_mean_over_all_pairs) {
  const Json of =
      repetition_of({row(100, Json::array()), row(300, {{{"correlation", 90}, {"overlap", 80}, {"noise_overlap", 84}}}),
                     row(200, {{{"correlation", 100}, {"overlap", 70}, {"noise_overlap", 85}},
                               {{"correlation", nullptr}, {"overlap", 60}, {"noise_overlap", 86}}})});
  EXPECT_EQ(of["runs"], 3);
  EXPECT_EQ(of["pairs"], 3);
  EXPECT_EQ(of["total"], 200.0);
  EXPECT_EQ(of["correlation"], 95.0);
  EXPECT_EQ(of["overlap"], 70.0);
  EXPECT_EQ(of["overlap_range"], Json({60.0, 80.0}));
  EXPECT_EQ(of["correlation_range"], Json({90.0, 100.0}));
  EXPECT_EQ(of["noise_overlap"], 85.0);
}

TEST(Repetition, one_run_is_none) {
  EXPECT_TRUE(repetition_of({}).is_null());
  EXPECT_TRUE(repetition_of({row(100, Json::array())}).is_null());
  EXPECT_TRUE(repetition_of({{{"failure", "exit status 3"}}}).is_null());
}

}  // namespace
}  // namespace bursar::evaluation
