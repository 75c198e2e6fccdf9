#include "schemes/yieldpoint_sampler.h"

#include <gtest/gtest.h>

#include <vector>

namespace bursar::schemes {
namespace {

Options counting(std::uint32_t samples, std::uint32_t stride, Correction correction) {
  Options options = usual_options(Kind::kCounter);
  options.samples = samples;
  options.stride = stride;
  options.correction = correction;
  return options;
}

// The weights of the next calls, all made at one time.
std::vector<double> weights(YieldpointSampler& sampler, int calls, std::uint64_t now_ns) {
  std::vector<double> found;
  for (int i = 0; i < calls; ++i) found.push_back(sampler.call(now_ns));
  return found;
}

TEST(YieldpointSampler, samples_nothing_before_its_first_tick) {
  YieldpointSampler sampler(counting(1, 1, Correction::kNone));
  EXPECT_EQ(weights(sampler, 3, 100), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(sampler.counts().bursts, 0U);
}

TEST(YieldpointSampler, takes_every_stride_th_call_behind_a_tick_and_begins_one_later_each_time) {
  YieldpointSampler sampler(counting(2, 2, Correction::kNone));
  sampler.tick(0);
  EXPECT_EQ(weights(sampler, 5, 0), (std::vector<double>{1, 0, 1, 0, 0}));
  sampler.tick(0);
  EXPECT_EQ(weights(sampler, 5, 0), (std::vector<double>{0, 1, 0, 1, 0}));
}

TEST(YieldpointSampler, weighs_by_the_calls_since_its_last_burst_up_to_the_first_of_this_one) {
  YieldpointSampler sampler(counting(2, 1, Correction::kDensity));
  sampler.tick(0);
  EXPECT_EQ(weights(sampler, 5, 0), (std::vector<double>{1e-4, 1e-4, 0, 0, 0})) << "one call in 10,000 thousand cycles";
  sampler.tick(0);
  EXPECT_EQ(weights(sampler, 3, 0), (std::vector<double>{5e-4, 5e-4, 0}));
}

TEST(YieldpointSampler, weighs_less_the_longer_the_flag_was_set_and_all_samples_of_a_tick_alike) {
  YieldpointSampler sampler(counting(2, 1, Correction::kDensityAndLatency));
  sampler.tick(1'000);
  const double late = 1.0 / (10'000 + 4'000 * kCyclesPerNs);
  EXPECT_DOUBLE_EQ(sampler.call(5'000), late);
  EXPECT_DOUBLE_EQ(sampler.call(900'000), late);
  EXPECT_EQ(sampler.counts().latency_ns, 4'000U);
}

TEST(YieldpointSampler, takes_the_ticks_it_missed_as_one_whose_latency_is_that_of_the_first) {
  YieldpointSampler sampler(counting(1, 1, Correction::kNone));
  for (std::uint64_t now_ns = 1'000; now_ns <= 3'000; now_ns += 1'000) sampler.tick(now_ns);
  EXPECT_EQ(weights(sampler, 3, 3'500), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(sampler.counts().ticks, 3U);
  EXPECT_EQ(sampler.counts().bursts, 1U);
  EXPECT_EQ(sampler.counts().latency_ns, 2'500U);
}

TEST(YieldpointSampler, a_tick_within_a_burst_begins_a_new_one) {
  YieldpointSampler sampler(counting(3, 1, Correction::kDensity));
  sampler.tick(0);
  weights(sampler, 2, 0);
  sampler.tick(0);
  EXPECT_EQ(weights(sampler, 4, 0), (std::vector<double>{2e-4, 2e-4, 2e-4, 0}));
  EXPECT_EQ(sampler.counts().bursts, 2U);
}

TEST(YieldpointSampler, takes_the_interval_for_lambda_unless_told) {
  Options options = usual_options(Kind::kCounter);
  EXPECT_DOUBLE_EQ(antibias_of(options).lambda, Antibias().lambda);
  options.interval_ns *= 2;
  EXPECT_DOUBLE_EQ(antibias_of(options).lambda, 2 * Antibias().lambda);
  options.lambda_cycles = 5;
  EXPECT_DOUBLE_EQ(antibias_of(options).lambda, 5);
}

}  // namespace
}  // namespace bursar::schemes
