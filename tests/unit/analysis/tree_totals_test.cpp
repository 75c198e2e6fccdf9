#include "analysis/tree_totals.h"

#include <gtest/gtest.h>

#include "analysis/metric_weights.h"
#include "random_profile.h"

namespace bursar::analysis {
namespace {

TEST(TreeTotals, agree_with_walking_up_from_every_context) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    profile::RandomProfile::Options options;
    options.contexts = seed;
    const profile::Profile profile = profile::RandomProfile(seed, options).profile();
    const profile::Contexts& contexts = profile->contexts;
    const std::vector<double> own = weights_of(contexts.columns[0], profile->metrics[0]);
    std::vector<double> expected_totals(contexts.size(), 0.0);
    std::vector<std::uint32_t> expected_depths(contexts.size(), 0);
    for (profile::ContextId i = 0; i < contexts.size(); ++i) {
      for (profile::ContextId up = i; up != profile::kNone; up = contexts.parent[up]) {
        expected_totals[up] += own[i];
        ++expected_depths[i];
      }
    }
    EXPECT_EQ(subtree_totals(contexts, own), expected_totals) << seed;
    EXPECT_EQ(depths(contexts), expected_depths) << seed;
  }
}

}  // namespace
}  // namespace bursar::analysis
