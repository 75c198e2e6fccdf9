#include "evaluation/variant.h"

#include <gtest/gtest.h>

#include <set>

#include "evaluation/path_variants.h"
#include "evaluation/studies.h"

namespace bursar::evaluation {
namespace {

TEST(Variant, any_name_that_is_no_variant_s_is_a_mode) {
  EXPECT_EQ(record_options("sample"), (std::vector<std::string>{"--mode", "sample"}));
}

TEST(Variant, studies_and_paths_share_no_name) {
  std::set<std::string> names;
  for (const auto& list : {names_of(cbs_variants()), names_of(advised_ways()), names_of(path_variants())}) {
    for (const std::string& name : list) EXPECT_TRUE(names.insert(name).second) << name;
  }
}

}  // namespace
}  // namespace bursar::evaluation
