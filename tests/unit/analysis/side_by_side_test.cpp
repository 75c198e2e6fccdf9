#include "analysis/side_by_side.h"

#include <gtest/gtest.h>

#include "profile/freeze.h"
#include "profile/merge.h"
#include "random_profile.h"

namespace {

using bursar::analysis::side_by_side;
using namespace bursar::profile;

Profile random_profile(std::uint64_t seed, MetricKind kind = MetricKind::kExact, const char* metric = kCalls) {
  RandomProfileOptions options;
  options.metrics = {{metric, "", kind, static_cast<std::uint8_t>(kind == MetricKind::kEstimate ? 4 : 0)},
                     {"bytecodes", "", MetricKind::kExact, 0}};
  return freeze(RandomProfile(seed, options).data()).value();
}

std::uint64_t sum(const Profile& profile, std::size_t metric) {
  std::uint64_t total = 0;
  for (const std::uint64_t value : profile->contexts.columns[metric].value) total += value;
  return total;
}

// Adding both columns up must be what merge() says of the two profiles.
TEST(SideBySide, before_and_after_add_up_to_the_merged_profile) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Profile a = random_profile(seed), b = random_profile(seed + 1000);
    const auto both = side_by_side(a, b).value();
    const Profile merged = merge(a, b).value();
    ASSERT_EQ(both.both->contexts.parent, merged->contexts.parent);
    for (ContextId id = 0; id < merged->contexts.size(); ++id) {
      const auto& columns = both.both->contexts.columns;
      ASSERT_EQ(columns[both.before].value[id] + columns[both.after].value[id], merged->contexts.columns[1].value[id]);
    }
    ASSERT_EQ(sum(both.both, both.before), sum(a, 1));
    ASSERT_EQ(sum(both.both, both.after), sum(b, 1));
    ASSERT_EQ(both.metric, "calls");
  }
}

TEST(SideBySide, keeps_the_kind_and_variance_of_each_side) {
  const auto both = side_by_side(random_profile(1), random_profile(2, MetricKind::kEstimate)).value();
  EXPECT_EQ(both.both->metrics[both.before].kind, MetricKind::kExact);
  EXPECT_EQ(both.both->metrics[both.after].kind, MetricKind::kEstimate);
  EXPECT_FALSE(both.both->contexts.columns[both.after].variance.empty());
}

TEST(SideBySide, refuses_what_cannot_be_compared) {
  const Profile calls = random_profile(1);
  const Profile samples = random_profile(2, MetricKind::kSamples, kSamples);
  EXPECT_NE(side_by_side(calls, samples).error().message.find("no difference to tell"), std::string::npos);
  EXPECT_NE(side_by_side(calls, samples, kCalls).error().message.find("after: "), std::string::npos);
  EXPECT_FALSE(side_by_side(calls, Profile()).ok());
}

TEST(SideBySide, takes_the_metric_that_is_asked_for) {
  const Profile a = random_profile(1), b = random_profile(2);
  const auto both = side_by_side(a, b, "bytecodes").value();
  EXPECT_EQ(both.metric, "bytecodes");
  EXPECT_EQ(sum(both.both, both.after), sum(b, 0));
}

}  // namespace
