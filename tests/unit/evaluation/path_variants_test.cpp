#include "evaluation/path_variants.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace bursar::evaluation {
namespace {

using Words = std::vector<std::string>;

TEST(PathVariants, a_name_tells_samples_and_stride_and_begins_with_the_truth) {
  EXPECT_EQ(path_variants().front().name, kExactPaths);
  EXPECT_EQ(record_options("paths-256-17"),
            (Words{"--mode", "paths", "--samples", "256", "--stride", "17", "--window", "0"}));
  EXPECT_EQ(record_options("paths"), (Words{"--mode", "paths"}));
  EXPECT_EQ(record_options("paths-alone"), (Words{"--mode", "paths", "--first", "0"}));
}

}  // namespace
}  // namespace bursar::evaluation
