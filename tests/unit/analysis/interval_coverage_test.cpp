#include "analysis/interval_coverage.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

const profile::Metric kEstimatedCalls{profile::kCalls, "", profile::MetricKind::kEstimate, 2};

std::optional<IntervalCoverage> measure(const HandProfile& truth, const HandProfile& estimate) {
  const profile::Profile a = truth.frozen();
  const profile::Profile b = estimate.frozen();
  const ProfilePair pair = pair_profiles(a, b).value();
  return interval_coverage(pair, join_trees(pair));
}

TEST(IntervalCoverage, asks_whether_the_true_number_lies_within_two_deviations) {
  // Estimates in quarters, variances in sixteenths: 100 ± 1.96 · 10 and so on.
  HandProfile truth;
  truth.context("A", 119).context("B", 120).context("C", 81).context("D", 80).context("E", 7);
  HandProfile estimate({}, kEstimatedCalls);
  for (const char* context : {"A", "B", "C", "D"}) estimate.context(context, 400, 1600);
  const IntervalCoverage result = measure(truth, estimate).value();
  EXPECT_EQ(result.contexts, 5u);
  EXPECT_EQ(result.held, 2u);     // A and C: 80.4 … 119.6
  EXPECT_EQ(result.missing, 1u);  // E
  EXPECT_DOUBLE_EQ(result.percent, 40);
}

TEST(IntervalCoverage, what_the_estimate_does_not_know_had_at_most_so_many_calls_as_it_says) {
  HandProfile truth;
  truth.context("A", 100).context("B", 31).context("C", 30);
  HandProfile estimate({}, kEstimatedCalls);
  estimate.context("A", 400, 1600).counter(profile::kUnseenAtMost, 30);
  const IntervalCoverage result = measure(truth, estimate).value();
  EXPECT_EQ(result.missing, 2u);
  EXPECT_EQ(result.held, 2u);  // A and C
}

TEST(IntervalCoverage, looks_at_the_thousand_hottest_contexts) {
  HandProfile truth;
  HandProfile estimate({}, kEstimatedCalls);
  for (std::uint64_t i = 1; i <= 1500; ++i) {
    const std::string name = "m" + std::to_string(i);
    truth.context(name, i);
    // Right for the 1,000 hottest, 501 … 1500, and wrong for the others.
    estimate.context(name, i > 500 ? 4 * i : 1, 0);
  }
  const IntervalCoverage result = measure(truth, estimate).value();
  EXPECT_EQ(result.contexts, 1000u);
  EXPECT_DOUBLE_EQ(result.percent, 100);
}

TEST(IntervalCoverage, does_not_look_at_the_overflow) {
  HandProfile truth;
  truth.context("A", 5).context("[overflow]", 500);
  HandProfile estimate({}, kEstimatedCalls);
  estimate.context("A", 20);
  EXPECT_EQ(measure(truth, estimate)->contexts, 1u);
}

TEST(IntervalCoverage, needs_an_exact_truth_and_an_estimate_of_the_same_metric) {
  HandProfile exact;
  exact.context("A", 5);
  HandProfile estimate({}, kEstimatedCalls);
  estimate.context("A", 20);
  HandProfile other({}, {"bytecodes", "", profile::MetricKind::kEstimate, 2});
  other.context("A", 20);
  EXPECT_TRUE(measure(exact, estimate).has_value());
  EXPECT_FALSE(measure(exact, exact).has_value());
  EXPECT_FALSE(measure(estimate, estimate).has_value());
  EXPECT_FALSE(measure(exact, other).has_value());
}

}  // namespace
}  // namespace bursar::analysis
