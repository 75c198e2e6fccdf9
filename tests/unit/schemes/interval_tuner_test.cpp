#include "schemes/interval_tuner.h"

#include <gtest/gtest.h>

#include <random>

namespace bursar::schemes {
namespace {

constexpr std::uint64_t kMs = 1'000'000;

// A portion of which this part is repeated.
bool portion(IntervalTuner& tuner, double repeated, double cost = 0.001) {
  for (std::uint64_t i = 0; i < IntervalTuner::kPortion; ++i) {
    EXPECT_FALSE(tuner.is_due());
    tuner.sample(static_cast<double>(i) < repeated * IntervalTuner::kPortion);
  }
  EXPECT_TRUE(tuner.is_due());
  return tuner.evaluate(cost);
}

TEST(IntervalTunerTest, it_begins_at_50_ms_or_next_to_it) {
  EXPECT_EQ(IntervalTuner(kMs, 1000 * kMs).interval_ns(), 50 * kMs);
  EXPECT_EQ(IntervalTuner(kMs, 20 * kMs).interval_ns(), 20 * kMs);
  EXPECT_EQ(IntervalTuner(100 * kMs, 200 * kMs).interval_ns(), 100 * kMs);
}

TEST(IntervalTunerTest, it_shortens_where_nearly_all_is_new_and_lengthens_where_much_is_repeated) {
  IntervalTuner tuner(kMs, 1000 * kMs);
  EXPECT_TRUE(portion(tuner, 0.009));
  EXPECT_EQ(tuner.interval_ns(), 25 * kMs);
  EXPECT_DOUBLE_EQ(tuner.repeated(), 0.009);
  IntervalTuner other(kMs, 1000 * kMs);
  EXPECT_TRUE(portion(other, 0.151));
  EXPECT_EQ(other.interval_ns(), 100 * kMs);
}

TEST(IntervalTunerTest, between_the_thresholds_it_stays) {
  IntervalTuner tuner(kMs, 1000 * kMs);
  EXPECT_FALSE(portion(tuner, 0.01));
  EXPECT_FALSE(portion(tuner, 0.15));
  EXPECT_EQ(tuner.interval_ns(), 50 * kMs);
}

TEST(IntervalTunerTest, it_stays_within_its_range) {
  IntervalTuner tuner(20 * kMs, 80 * kMs);
  EXPECT_TRUE(portion(tuner, 0));
  EXPECT_TRUE(portion(tuner, 0));
  EXPECT_EQ(tuner.interval_ns(), 20 * kMs);
  EXPECT_FALSE(portion(tuner, 0));
  IntervalTuner other(20 * kMs, 80 * kMs);
  EXPECT_TRUE(portion(other, 1));
  EXPECT_EQ(other.interval_ns(), 80 * kMs);
  EXPECT_FALSE(portion(other, 1));
}

TEST(IntervalTunerTest, it_does_not_shorten_to_where_it_costs_too_much) {
  IntervalTuner tuner(kMs, 1000 * kMs);
  EXPECT_TRUE(portion(tuner, 0, 0.006));
  EXPECT_EQ(tuner.interval_ns(), 40 * kMs) << "0.6 % at 50 ms are 0.75 % at 40 ms";
  EXPECT_FALSE(portion(tuner, 0, 0.0075));
}

TEST(IntervalTunerTest, what_costs_too_much_is_lengthened_whatever_is_repeated) {
  IntervalTuner tuner(kMs, 1000 * kMs);
  EXPECT_TRUE(portion(tuner, 0.05, 0.03));
  EXPECT_EQ(tuner.interval_ns(), 150 * kMs);
  EXPECT_TRUE(portion(tuner, 0, 0.02));
  EXPECT_EQ(tuner.interval_ns(), 300 * kMs);
}

TEST(IntervalTunerTest, without_samples_nothing_is_known) {
  IntervalTuner tuner(kMs, 1000 * kMs);
  EXPECT_FALSE(tuner.is_due());
  EXPECT_FALSE(tuner.evaluate(0.001));
}

TEST(IntervalTunerTest, samples_that_were_not_compared_have_no_say) {
  IntervalTuner tuner(kMs, 1000 * kMs);
  const auto portion_with = [&](std::uint64_t compared, std::uint64_t repeated) {
    for (std::uint64_t i = 0; i < IntervalTuner::kPortion; ++i) {
      tuner.sample(i < compared ? std::optional(i < repeated) : std::nullopt);
    }
    EXPECT_TRUE(tuner.is_due());
    return tuner.evaluate(0.001);
  };
  EXPECT_FALSE(portion_with(0, 0));
  EXPECT_FALSE(portion_with(IntervalTuner::kFewestCompared - 1, 0));
  EXPECT_FALSE(portion_with(200, 20)) << "a tenth, though 2 % of all";
  EXPECT_DOUBLE_EQ(tuner.repeated(), 0.1);
  EXPECT_TRUE(portion_with(200, 40));
  EXPECT_EQ(tuner.interval_ns(), 100 * kMs);
}

TEST(IntervalTunerTest, a_cost_that_is_too_high_does_not_wait_for_the_end_of_a_portion) {
  IntervalTuner tuner(kMs, 1000 * kMs);
  tuner.sample(true);
  EXPECT_FALSE(tuner.heed(0.009));
  EXPECT_TRUE(tuner.heed(0.02));
  EXPECT_EQ(tuner.interval_ns(), 100 * kMs);
  EXPECT_TRUE(tuner.heed(0.5));
  EXPECT_EQ(tuner.interval_ns(), 1000 * kMs);
  EXPECT_FALSE(tuner.heed(0.5)) << "it cannot be longer";
}

// A program in which a sample repeats the last one if it comes within the time that an activation lives: that is
// exponential, so that the part is exp(-interval / life). Costs are per sample.
struct SteadyProgram {
  double life_ns, cost_ns;
  std::mt19937 random{7};

  bool run(IntervalTuner& tuner) {
    const auto interval = static_cast<double>(tuner.interval_ns());
    std::bernoulli_distribution repeats(std::exp(-interval / life_ns));
    for (std::uint64_t i = 0; i < IntervalTuner::kPortion; ++i) tuner.sample(repeats(random));
    return tuner.evaluate(cost_ns / interval * std::uniform_real_distribution(0.9, 1.1)(random));
  }
};

TEST(IntervalTunerTest, on_steady_programs_it_settles_after_a_few_changes) {
  for (const double life_ms : {0.001, 0.1, 1.0, 3.0, 10.0, 30.0, 100.0, 1000.0}) {
    for (const double cost_us : {5.0, 50.0, 200.0}) {
      IntervalTuner tuner(kMs, 1000 * kMs);
      SteadyProgram program{life_ms * 1e6, cost_us * 1e3};
      int changes = 0, last_change = 0;
      for (int i = 0; i < 100; ++i) {
        if (!program.run(tuner)) continue;
        ++changes;
        last_change = i;
      }
      EXPECT_LE(changes, 12) << life_ms << " ms, " << cost_us << " us";
      EXPECT_LE(last_change, 40) << life_ms << " ms, " << cost_us << " us";
      const double cost = cost_us * 1e3 / static_cast<double>(tuner.interval_ns());
      EXPECT_LE(cost, 1.12 * IntervalTuner::kHighestCost) << life_ms << " ms, " << cost_us << " us";
    }
  }
}

}  // namespace
}  // namespace bursar::schemes
