#include "analysis/sampling_noise.h"

#include <gtest/gtest.h>

#include <bit>
#include <numeric>
#include <random>

#include "analysis/correlation.h"
#include "analysis/counter_node_overlap.h"
#include "hand_profile.h"

namespace bursar::analysis {
namespace {

JointTree joined(const profile::Profile& truth, const profile::Profile& estimate) {
  return join_trees(pair_profiles(truth, estimate).value());
}

// A thousand contexts of very different weights, below a few callers.
profile::Profile drawn(std::uint64_t seed, std::size_t samples, double skew) {
  std::mt19937_64 random(seed);
  std::vector<double> weights;
  weights.reserve(1000);
  for (int i = 0; i < 1000; ++i) weights.push_back(1 / std::pow(i + 1, skew));
  std::discrete_distribution<int> draw(weights.begin(), weights.end());
  std::vector<std::uint64_t> counts(weights.size());
  for (std::size_t i = 0; i < samples; ++i) ++counts[static_cast<std::size_t>(draw(random))];
  HandProfile profile;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) profile.context("main;c" + std::to_string(i % 7) + ";m" + std::to_string(i), counts[i]);
  }
  return profile.frozen();
}

// All ways to give six samples to sides of three: each was as likely as any other.
TEST(SamplingNoise, is_the_mean_over_all_divisions) {
  const profile::Profile truth = HandProfile().context("A", 1).context("A;B", 2).frozen();
  const profile::Profile estimate = HandProfile().context("A;B", 1).context("A;C", 1).context("A;C;B", 1).frozen();
  JointTree tree = joined(truth, estimate);
  std::vector<std::size_t> pool;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    pool.insert(pool.end(), static_cast<std::size_t>(tree.weight.truth[node] + tree.weight.estimate[node]), node);
  }
  ASSERT_EQ(pool.size(), 6U);
  double sum = 0;
  int divisions = 0;
  for (unsigned chosen = 0; chosen < 64; ++chosen) {
    if (std::popcount(chosen) != 3) continue;
    JointTree divided = tree;
    std::fill(divided.weight.truth.begin(), divided.weight.truth.end(), 0.0);
    std::fill(divided.weight.estimate.begin(), divided.weight.estimate.end(), 0.0);
    for (std::size_t i = 0; i < 6; ++i) {
      ++((chosen >> i & 1) != 0 ? divided.weight.truth : divided.weight.estimate)[pool[i]];
    }
    sum += counter_node_overlap(divided);
    ++divisions;
  }
  ASSERT_EQ(divisions, 20);
  EXPECT_NEAR(agreement_by_noise(tree, 20'000, 1)->overlap, sum / divisions, 0.5);
}

TEST(SamplingNoise, explains_runs_of_one_distribution_and_no_others) {
  double measured = 0, predicted = 0, other = 0;
  constexpr int kPairs = 12;
  for (std::uint64_t pair = 0; pair < kPairs; ++pair) {
    const profile::Profile first = drawn(3 * pair, 2000, 0.9);
    const JointTree same = joined(first, drawn(3 * pair + 1, 3000, 0.9));
    measured += counter_node_overlap(same) / kPairs;
    predicted += agreement_by_noise(same, 3, pair)->overlap / kPairs;
    const JointTree different = joined(first, drawn(3 * pair + 2, 3000, 0.5));
    other += (agreement_by_noise(different, 3, pair)->overlap - counter_node_overlap(different)) / kPairs;
  }
  EXPECT_LT(measured, 95);
  EXPECT_NEAR(measured, predicted, 0.5);
  EXPECT_GT(other, 5);
}

TEST(SamplingNoise, explains_how_far_method_totals_correlate) {
  double measured = 0, predicted = 0;
  constexpr int kPairs = 12;
  for (std::uint64_t number = 0; number < kPairs; ++number) {
    const profile::Profile one = drawn(2 * number, 2000, 0.6), other = drawn(2 * number + 1, 3000, 0.6);
    const ProfilePair pair = pair_profiles(one, other).value();
    measured += *method_correlation(pair) / kPairs;
    predicted += agreement_by_noise(join_trees(pair), 3, number)->correlation / kPairs;
  }
  EXPECT_LT(measured, 98);
  EXPECT_NEAR(measured, predicted, 0.5);
}

TEST(SamplingNoise, the_same_seed_gives_the_same_number) {
  const JointTree tree = joined(drawn(1, 500, 0.9), drawn(2, 500, 0.9));
  EXPECT_EQ(agreement_by_noise(tree, 2, 7), agreement_by_noise(tree, 2, 7));
  EXPECT_NE(agreement_by_noise(tree, 2, 7), agreement_by_noise(tree, 2, 8));
}

TEST(SamplingNoise, an_overflow_stays_where_it_is) {
  const profile::Profile side = HandProfile().context("A", 10).context("[overflow]", 90).frozen();
  // Methods only: 10 of 100 on each side, all in common, whatever the division.
  EXPECT_NEAR(agreement_by_noise(joined(side, side), 4, 1)->overlap, 10, 1e-9);
}

TEST(SamplingNoise, is_nothing_where_a_side_has_no_sample) {
  const profile::Profile none = HandProfile().context("A", 0).frozen();
  const profile::Profile some = HandProfile().context("A", 3).frozen();
  EXPECT_EQ(agreement_by_noise(joined(none, some), 3, 1), std::nullopt);
  EXPECT_EQ(agreement_by_noise(joined(some, none), 3, 1), std::nullopt);
}

}  // namespace
}  // namespace bursar::analysis
