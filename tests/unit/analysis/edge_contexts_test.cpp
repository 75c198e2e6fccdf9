#include "analysis/edge_contexts.h"

#include <gtest/gtest.h>

#include "profile/freeze.h"

namespace bursar::analysis {
namespace {

profile::Profile with_edges() {
  profile::ProfileData data;
  data.metrics = {{.name = "samples", .unit = "samples", .kind = profile::MetricKind::kSamples, .scale_log2 = 0}};
  for (const char* name : {"a", "b", "c"})
    data.methods.push_back({.class_name = "C", .name = name, .descriptor = "()V"});
  data.edges = {
      .caller = {0, 0, 1}, .site = {4, 9, 2}, .callee = {1, 2, 2}, .columns = {{.value = {5, 7, 11}, .variance = {}}}};
  data.contexts.columns.resize(1);
  return std::move(*profile::freeze(std::move(data)));
}

TEST(EdgeContextsTest, MakesAStackOfTwoOfEachEdge) {
  const profile::Profile profile = with_edges();
  ASSERT_TRUE(has_only_edges(profile));
  const auto shown = contexts_of_edges(profile);
  ASSERT_TRUE(shown) << shown.error().message;
  EXPECT_FALSE(has_only_edges(*shown));
  const profile::Contexts& contexts = (*shown)->contexts;
  EXPECT_EQ(contexts.parent, (std::vector<profile::ContextId>{profile::kNone, 0, 0, profile::kNone, 3}));
  EXPECT_EQ(contexts.method, (std::vector<profile::MethodId>{0, 1, 2, 1, 2}));
  EXPECT_EQ(contexts.columns[0].value, (std::vector<std::uint64_t>{0, 5, 7, 0, 11}));
  EXPECT_EQ((*shown)->edges, profile->edges);
}

}  // namespace
}  // namespace bursar::analysis
