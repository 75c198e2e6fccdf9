#include "schemes/counter_sampling.h"

#include <gtest/gtest.h>

#include <vector>

namespace bursar::schemes {
namespace {

// The numbers of the calls behind the tick that are sampled, from 1 on.
std::vector<int> sampled(CounterSampling& sampling, std::uint32_t skipped = 0) {
  std::vector<int> calls;
  sampling.tick(skipped);
  for (int call = 1; sampling.is_watching(); ++call) {
    if (sampling.call()) calls.push_back(call);
  }
  return calls;
}

TEST(CounterSamplingTest, TakesEveryStrideThCallAndBeginsOneLaterEachTime) {
  CounterSampling sampling(3, 2);
  EXPECT_EQ(sampled(sampling), (std::vector{1, 3, 5}));
  EXPECT_EQ(sampled(sampling), (std::vector{2, 4, 6}));
  EXPECT_EQ(sampled(sampling), (std::vector{1, 3, 5}));
}

TEST(CounterSamplingTest, PassesByWhatItIsTold) {
  CounterSampling sampling(2, 3);
  EXPECT_EQ(sampled(sampling, 10), (std::vector{11, 14}));
  EXPECT_EQ(sampled(sampling, 10), (std::vector{12, 15}));
}

TEST(CounterSamplingTest, SeesNothingWithoutATick) {
  CounterSampling sampling(1, 1);
  EXPECT_FALSE(sampling.is_watching());
  EXPECT_FALSE(sampling.call());
  sampling.tick();
  sampling.stop();
  EXPECT_FALSE(sampling.call());
}

}  // namespace
}  // namespace bursar::schemes
