// All measures against their naive versions, and their properties, over random profiles.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "analysis/branch_accuracy.h"
#include "analysis/comparison.h"
#include "analysis/correlation.h"
#include "analysis/joint_tree.h"
#include "analysis/path_accuracy.h"
#include "naive_measures.h"
#include "profile/merge.h"
#include "random_profile.h"

namespace bursar::analysis {
namespace {

using profile::Identity;
using profile::Profile;
using profile::RandomProfile;

constexpr std::uint64_t kRounds = 400;
constexpr double kTolerance = 1e-7;

struct Case {
  Profile truth;
  Profile estimate;
};

// Loses some subtrees.
void prune(profile::ProfileData& data, RandomProfile& random) {
  const profile::Contexts whole = std::exchange(data.contexts, {});
  profile::Contexts& left = data.contexts;
  left.columns.resize(whole.columns.size());
  std::vector<profile::ContextId> new_id(whole.size(), profile::kNone);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    const bool root = whole.parent[i] == profile::kNone;
    if (random.one_in(12) || (!root && new_id[whole.parent[i]] == profile::kNone)) continue;
    new_id[i] = static_cast<profile::ContextId>(left.size());
    left.parent.push_back(root ? profile::kNone : new_id[whole.parent[i]]);
    left.method.push_back(whole.method[i]);
    left.site.push_back(whole.site[i]);
    left.columns[0].value.push_back(whole.columns[0].value[i]);
    if (!whole.columns[0].variance.empty()) left.columns[0].variance.push_back(whole.columns[0].variance[i]);
  }
  data.threads.clear();
  data.series.clear();
}

// The same run seen less well: some contexts and numbers lost, some numbers changed.
Profile disturbed(const Profile& profile, RandomProfile& random) {
  profile::ProfileData data = profile.data();
  prune(data, random);
  const auto disturb = [&](std::vector<std::uint64_t>& values) {
    for (std::uint64_t& value : values) {
      if (random.one_in(4)) value = 0;
      if (random.one_in(3)) value = value / 2 + random.below(3);
    }
  };
  disturb(data.contexts.columns[0].value);
  disturb(data.edges.columns[0].value);
  disturb(data.paths.count.value);
  disturb(data.branches.count.value);
  for (std::uint32_t& outcome : data.branches.outcome) outcome += random.one_in(9) ? 3U : 0U;
  return profile::freeze(std::move(data)).value();
}

// Related pairs, unrelated pairs, pairs of different identity, profiles without edges of their own, empty ones.
Case random_case(std::uint64_t seed) {
  RandomProfile dice(seed);
  const auto draw_options = [&] {
    RandomProfile::Options options;
    options.contexts = dice.one_in(20) ? 0 : dice.below(120);
    options.methods = 1 + dice.below(12);
    options.edges = dice.one_in(2) ? 0 : dice.below(30);
    options.paths = dice.one_in(6) ? 0 : dice.below(40);
    options.branches = dice.one_in(6) ? 0 : dice.below(40);
    options.identity = {dice.one_in(2), !dice.one_in(3), false};
    if (dice.one_in(3)) options.metrics = {{profile::kCalls, "", profile::MetricKind::kEstimate, 5}};
    return options;
  };
  const Profile truth = RandomProfile(1000 + seed, draw_options()).profile();
  if (dice.one_in(4)) return {truth, RandomProfile(900'000 + seed, draw_options()).profile()};
  const Profile estimate = disturbed(truth, dice);
  Identity coarser = estimate->identity;
  if (dice.one_in(3)) coarser.call_sites = false;
  if (dice.one_in(3)) coarser.descriptors = false;
  return {truth, profile::project(estimate, coarser).value()};
}

struct Views {
  naive::View truth;
  naive::View estimate;
};

Views views(const Case& test, bool call_sites) {
  const bool descriptors = test.truth->identity.descriptors && test.estimate->identity.descriptors;
  return {{call_sites, descriptors, "truth"}, {call_sites, descriptors, "estimate"}};
}

bool has_weight(const naive::Weights& weights) {
  return naive::total(weights) > 0;
}

TEST(RandomComparison, agrees_on_trees) {
  int matched = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Case test = random_case(seed);
    const Views view = views(test, test.truth->identity.call_sites && test.estimate->identity.call_sites);
    const naive::Weights truth = naive::tree(test.truth.data(), view.truth);
    const naive::Weights estimate = naive::tree(test.estimate.data(), view.estimate);
    const ProfilePair pair = pair_profiles(test.truth, test.estimate).value();
    const JointTree tree = join_trees(pair);
    EXPECT_EQ(truth_share(tree).nodes, truth.size()) << seed;
    EXPECT_EQ(estimate_share(tree).nodes, estimate.size()) << seed;

    const auto result = compare(test.truth, test.estimate);
    if (!has_weight(truth) || !result.ok() || !result->overlap) continue;
    std::size_t common = 0;
    for (const auto& [context, weight] : truth) common += estimate.count(context);
    EXPECT_EQ(result->nodes_common, common) << seed;
    EXPECT_NEAR(result->overlap.value(), naive::overlap(truth, estimate), kTolerance) << seed;
    EXPECT_NEAR(result->counter_node_overlap.value(),
                naive::overlap(naive::counter_nodes(test.truth.data(), view.truth),
                               naive::counter_nodes(test.estimate.data(), view.estimate)),
                kTolerance)
        << seed;
    for (const CoverageAt& at : result->hot_edge_coverage) {
      EXPECT_NEAR(at.coverage, naive::hot_edge_coverage(truth, estimate, at.threshold_percent), kTolerance) << seed;
    }
    matched += common > 0;
  }
  EXPECT_GT(matched, 200);  // else the test has nothing to say
}

TEST(RandomComparison, agrees_on_call_graphs) {
  int measured = 0;
  int by_site = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Case test = random_case(seed);
    const auto calls = [](const Profile& profile, const naive::View& view) {
      const naive::Weights recorded = naive::recorded_calls(profile.data(), view);
      return has_weight(recorded) ? recorded : naive::derived_calls(profile.data(), view);
    };
    const auto result = call_graph_overlap(pair_profiles(test.truth, test.estimate).value(), {});
    const Views without = views(test, false);
    ASSERT_EQ(result.has_value(), has_weight(calls(test.truth, without.truth))) << seed;
    if (!result) continue;
    const Views view = views(test, result->by_site());
    EXPECT_NEAR(result->all, naive::overlap(calls(test.truth, view.truth), calls(test.estimate, view.estimate)),
                kTolerance)
        << seed;
    ++measured;
    by_site += result->by_site();
  }
  EXPECT_GT(measured, 200);
  EXPECT_GT(by_site, 50);
}

TEST(RandomComparison, agrees_on_method_totals) {
  int measured = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Case test = random_case(seed);
    const Views view = views(test, false);
    const naive::Weights truth = naive::methods(test.truth.data(), view.truth);
    const naive::Weights estimate = naive::methods(test.estimate.data(), view.estimate);
    // Where a tree has no weight, totals come from the edges: not what this oracle does.
    if (!has_weight(truth) || !has_weight(estimate)) continue;
    // The table also names methods that only edges and paths run through: they count 0.
    naive::Weights all_truth = truth;
    for (profile::MethodId id = 0; id < test.truth->methods.size(); ++id) {
      all_truth.try_emplace(naive::method_text(test.truth.data(), id, view.truth), 0.0);
    }
    naive::Weights all_estimate = estimate;
    for (profile::MethodId id = 0; id < test.estimate->methods.size(); ++id) {
      all_estimate.try_emplace(naive::method_text(test.estimate.data(), id, view.estimate), 0.0);
    }
    const auto expected = naive::correlation(all_truth, all_estimate);
    const auto result = method_correlation(pair_profiles(test.truth, test.estimate).value());
    ASSERT_EQ(result.has_value(), expected.has_value()) << seed;
    if (!result) continue;
    EXPECT_NEAR(*result, *expected, 1e-5) << seed;
    ++measured;
  }
  EXPECT_GT(measured, 200);
}

TEST(RandomComparison, agrees_on_paths_and_branches) {
  int paths = 0;
  int branches = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Case test = random_case(seed);
    const Views view = views(test, false);
    const ProfilePair pair = pair_profiles(test.truth, test.estimate).value();
    const auto expected = naive::path_accuracy(test.truth.data(), view.truth, test.estimate.data(), view.estimate);
    const auto accuracy = path_accuracy(pair);
    ASSERT_EQ(accuracy.has_value(), expected.has_value()) << seed;
    if (accuracy) {
      EXPECT_NEAR(accuracy->accuracy, *expected, kTolerance) << seed;
    }
    paths += accuracy.has_value();

    const auto outcomes = branch_accuracy(pair);
    if (!outcomes) continue;
    const naive::Outcomes truth = naive::outcomes(test.truth.data(), view.truth);
    const naive::Outcomes estimate = naive::outcomes(test.estimate.data(), view.estimate);
    EXPECT_NEAR(outcomes->relative_overlap, naive::relative_overlap(truth, estimate), kTolerance) << seed;
    EXPECT_NEAR(outcomes->absolute_overlap, naive::absolute_overlap(truth, estimate), kTolerance) << seed;
    ++branches;
  }
  EXPECT_GT(paths, 200);
  EXPECT_GT(branches, 200);
}

// What lies in the overflow never matches, so 100 is only reached without.
double outside_overflow(const Comparison& comparison) {
  return 100 - comparison.truth.overflow_share;
}

bool has_overflow(const Profile& profile) {
  return std::ranges::any_of(profile->methods,
                             [](const auto& method) { return method.kind == profile::MethodKind::kOverflow; });
}

TEST(RandomComparison, of_a_profile_with_itself_is_complete) {
  int complete = 0;
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Profile profile = random_case(seed).truth;
    const auto result = compare(profile, profile);
    if (!result.ok() || !result->overlap) continue;
    EXPECT_NEAR(*result->overlap, outside_overflow(*result), kTolerance) << seed;
    for (const CoverageAt& at : result->hot_edge_coverage) EXPECT_EQ(at.coverage, 100) << seed;
    // An overflow with paths of its own is nothing a run makes, only the dice do.
    if (has_overflow(profile)) continue;
    ++complete;
    for (const auto& accuracy : {result->method_correlation, result->path_accuracy, result->edge_relative_overlap}) {
      EXPECT_NEAR(accuracy.value_or(100), 100, kTolerance) << seed;
    }
  }
  EXPECT_GT(complete, 100);
}

TEST(RandomComparison, of_a_scaled_copy_is_complete) {
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Profile profile = random_case(seed).truth;
    profile::ProfileData data = profile.data();
    for (std::uint64_t& value : data.contexts.columns[0].value) value *= 7;
    const Profile scaled = profile::freeze(std::move(data)).value();
    const auto result = compare(profile, scaled);
    if (!result.ok() || !result->overlap) continue;
    EXPECT_NEAR(*result->overlap, outside_overflow(*result), kTolerance) << seed;
    for (const CoverageAt& at : result->hot_edge_coverage) EXPECT_EQ(at.coverage, 100) << seed;
  }
}

void expect_in_range(const std::optional<double>& accuracy, std::uint64_t seed) {
  if (!accuracy) return;
  EXPECT_GE(*accuracy, 0) << seed;
  EXPECT_LE(*accuracy, 100) << seed;
}

TEST(RandomComparison, is_symmetric_where_it_should_be_and_always_in_range) {
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Case test = random_case(seed);
    const auto there = compare(test.truth, test.estimate);
    const auto back = compare(test.estimate, test.truth);
    if (!there.ok()) continue;
    expect_in_range(there->overlap, seed);
    expect_in_range(there->counter_node_overlap, seed);
    expect_in_range(there->path_accuracy, seed);
    expect_in_range(there->edge_relative_overlap, seed);
    expect_in_range(there->edge_absolute_overlap, seed);
    if (there->call_graph) expect_in_range(there->call_graph->all, seed);
    for (const CoverageAt& at : there->hot_edge_coverage) expect_in_range(at.coverage, seed);
    if (!back.ok() || !there->overlap || !back->overlap) continue;
    EXPECT_NEAR(*there->overlap, *back->overlap, kTolerance) << seed;
    EXPECT_NEAR(*there->counter_node_overlap, *back->counter_node_overlap, kTolerance) << seed;
    EXPECT_EQ(there->nodes_common, back->nodes_common) << seed;
    EXPECT_EQ(there->truth.nodes, back->estimate.nodes) << seed;
    if (there->call_graph && back->call_graph) {
      EXPECT_NEAR(there->call_graph->all, back->call_graph->all, kTolerance) << seed;
    }
  }
}

// Comparing at the coarser identity is the same as projecting first and comparing then.
TEST(RandomComparison, is_the_same_after_projecting_both_sides) {
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Case test = random_case(seed);
    const Identity common = profile::common_identity(test.truth->identity, test.estimate->identity).value();
    const Profile truth = profile::project(test.truth, common).value();
    const Profile estimate = profile::project(test.estimate, common).value();
    const auto direct = compare(test.truth, test.estimate);
    const auto projected = compare(truth, estimate);
    ASSERT_EQ(direct.ok(), projected.ok()) << seed;
    if (!direct.ok() || !direct->overlap) continue;
    EXPECT_NEAR(*direct->overlap, *projected->overlap, kTolerance) << seed;
    EXPECT_NEAR(*direct->counter_node_overlap, *projected->counter_node_overlap, kTolerance) << seed;
    EXPECT_EQ(direct->nodes_common, projected->nodes_common) << seed;
    EXPECT_EQ(direct->truth.nodes, projected->truth.nodes) << seed;
    EXPECT_EQ(direct->estimate.nodes, projected->estimate.nodes) << seed;
    for (std::size_t i = 0; i < direct->hot_edge_coverage.size(); ++i) {
      EXPECT_EQ(direct->hot_edge_coverage[i].coverage, projected->hot_edge_coverage[i].coverage) << seed;
    }
  }
}

// Less identity, more agreement: leaving out call sites or descriptors never lowers the overlap.
TEST(RandomComparison, never_overlaps_less_under_a_coarser_identity) {
  for (std::uint64_t seed = 0; seed < kRounds; ++seed) {
    const Case test = random_case(seed);
    const Identity names_only{false, false, false};
    const auto fine = compare(test.truth, test.estimate);
    const auto coarse = compare(profile::project(test.truth, names_only).value(), test.estimate);
    if (!fine.ok() || !fine->overlap) continue;
    EXPECT_GE(*coarse->overlap, *fine->overlap - kTolerance) << seed;
  }
}

}  // namespace
}  // namespace bursar::analysis
