#include "schemes/antibias.h"

#include <gtest/gtest.h>

namespace bursar::schemes {
namespace {

TEST(AntibiasTest, OneCallInAThousandCyclesWithoutLatencyWeighsOne) {
  EXPECT_DOUBLE_EQ(weight_of({.correction = Correction::kDensityAndLatency}, 10'000, 0), 1);
  EXPECT_DOUBLE_EQ(weight_of({.correction = Correction::kDensity}, 10'000, 1e9), 1);
}

TEST(AntibiasTest, IsThePapersSimplifiedFormula) {
  EXPECT_DOUBLE_EQ(weight_of({.correction = Correction::kDensityAndLatency}, 5'000, 40'000),
                   5'000.0 / (10'000 + 40'000));
}

TEST(AntibiasTest, WithoutCorrectionAllWeighTheSame) {
  const Antibias none{.correction = Correction::kNone};
  EXPECT_DOUBLE_EQ(weight_of(none, 1, 0), 1);
  EXPECT_DOUBLE_EQ(weight_of(none, 1e9, 1e9), 1);
}

}  // namespace
}  // namespace bursar::schemes
