#include "analysis/joint_tree.h"

#include <gtest/gtest.h>

#include "analysis/overlap.h"
#include "hand_profile.h"

namespace bursar::analysis {
namespace {

JointTree join(const profile::Profile& truth, const profile::Profile& estimate) {
  return join_trees(pair_profiles(truth, estimate).value());
}

std::size_t nodes_common(const JointTree& tree) {
  std::size_t nodes = 0;
  for (std::size_t i = 0; i < tree.size(); ++i) nodes += tree.in_truth(i) && tree.in_estimate(i);
  return nodes;
}

TEST(JointTree, matches_contexts_by_the_whole_chain) {
  const profile::Profile truth = HandProfile().context("A;B;C", 1).context("A;D", 1).frozen();
  const profile::Profile estimate = HandProfile().context("A;B;D", 1).context("X;B;C", 1).frozen();
  const JointTree tree = join(truth, estimate);
  EXPECT_EQ(nodes_common(tree), 2u);  // A, A B
  EXPECT_EQ(truth_share(tree).nodes, 4u);
  EXPECT_EQ(estimate_share(tree).nodes, 6u);
  EXPECT_EQ(tree.size(), 8u);
}

TEST(JointTree, never_matches_the_overflow_nor_what_is_below_it) {
  // 6 of 10 calls lie outside the overflow on both sides: overlap 60, not 100.
  HandProfile side;
  side.context("A", 6).context("[overflow]", 3).context("[overflow];A", 1);
  const JointTree tree = join(side.frozen(), side.frozen());
  EXPECT_EQ(nodes_common(tree), 1u);
  EXPECT_DOUBLE_EQ(overlap(tree.weight), 60);
  EXPECT_DOUBLE_EQ(truth_share(tree).overflow_share, 40);
  EXPECT_DOUBLE_EQ(estimate_share(tree).overflow_share, 40);
  EXPECT_DOUBLE_EQ(truth_share(tree).total, 10);
}

TEST(JointTree, leaves_out_call_sites_that_only_one_side_keeps) {
  const profile::Identity with_sites{true, true, false};
  const profile::Profile sites =
      HandProfile(with_sites).context("A", 0).context("A;B@3", 1).context("A;B@9", 2).context("A;B@9;C@1", 3).frozen();
  const profile::Profile plain = HandProfile().context("A;B", 3).context("A;B;C", 3).frozen();
  for (const JointTree& tree : {join(sites, plain), join(plain, sites)}) {
    EXPECT_EQ(tree.size(), 3u);
    EXPECT_DOUBLE_EQ(overlap(tree.weight), 100);
  }
  EXPECT_EQ(join(sites, sites).size(), 4u);
}

TEST(JointTree, leaves_out_descriptors_that_only_one_side_keeps) {
  const profile::Profile full =
      HandProfile().context("A;B(I)V", 1).context("A;B(J)V", 2).context("A;B(J)V;C", 1).frozen();
  const profile::Profile names = HandProfile({false, false, false}).context("A;B", 3).context("A;B;C", 1).frozen();
  for (const JointTree& tree : {join(full, names), join(names, full)}) {
    EXPECT_EQ(tree.size(), 3u);
    EXPECT_DOUBLE_EQ(overlap(tree.weight), 100);
  }
  EXPECT_EQ(join(full, full).size(), 4u);
}

TEST(JointTree, does_not_tell_methods_apart_by_kind) {
  const profile::Profile java = HandProfile().context("A;wait", 2).frozen();
  const profile::Profile native =
      HandProfile().context("A;wait", 2).kind("wait", profile::MethodKind::kNative).frozen();
  EXPECT_DOUBLE_EQ(overlap(join(java, native).weight), 100);
}

TEST(JointTree, adds_up_overloads_of_different_kind_when_descriptors_are_left_out) {
  const profile::Profile full = HandProfile()
                                    .context("A;wait()V", 1)
                                    .context("A;wait(J)V", 2)
                                    .kind("wait(J)V", profile::MethodKind::kNative)
                                    .frozen();
  const profile::Profile names = HandProfile({false, false, false}).context("A;wait", 3).frozen();
  EXPECT_DOUBLE_EQ(overlap(join(full, names).weight), 100);
}

TEST(JointTree, reads_estimates_in_natural_units) {
  const profile::Metric estimate{profile::kCalls, "", profile::MetricKind::kEstimate, 4};
  const profile::Profile profile = HandProfile({}, estimate).context("A", 24, 512).frozen();
  const JointTree tree = join(HandProfile().context("A", 1).frozen(), profile);
  ASSERT_EQ(tree.size(), 1u);
  EXPECT_DOUBLE_EQ(tree.weight.estimate[0], 1.5);  // 24 / 2^4
  EXPECT_DOUBLE_EQ(tree.estimate_variance[0], 2);  // 512 / 4^4
}

TEST(JointTree, refuses_a_folded_profile_beside_an_unfolded_one) {
  const profile::Profile folded = HandProfile({false, true, true}).context("A", 1).frozen();
  EXPECT_FALSE(pair_profiles(folded, HandProfile().context("A", 1).frozen()).ok());
}

TEST(JointTree, survives_a_chain_of_a_million_frames) {
  profile::ProfileData data;
  data.metrics.push_back({profile::kCalls, "", profile::MetricKind::kExact, 0});
  data.methods.push_back({"t.T", "recurse", "()V", profile::MethodKind::kJava});
  const std::uint32_t depth = 1'000'000;
  data.contexts.columns.resize(1);
  for (std::uint32_t i = 0; i < depth; ++i) {
    data.contexts.parent.push_back(i == 0 ? profile::kNone : i - 1);
    data.contexts.method.push_back(0);
    data.contexts.site.push_back(profile::kNoSite);
    data.contexts.columns[0].value.push_back(1);
  }
  const profile::Profile chain = profile::freeze(std::move(data)).value();
  const JointTree tree = join(chain, chain);
  EXPECT_EQ(tree.size(), depth);
  EXPECT_NEAR(overlap(tree.weight), 100, 1e-6);
}

}  // namespace
}  // namespace bursar::analysis
