#include "core/context_questions.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/profile_map.h"
#include "paper_map.h"
#include "random_profile.h"

namespace bursar::core {
namespace {

using Index = ContextMap::Index;
using Step = ContextQuestions::Step;
constexpr Index kNone = ContextMap::kNone;

// What a scan of all contexts says; counts are those of map_of_contexts.
class Scan {
 public:
  Scan(const profile::Profile& profile, std::vector<std::uint64_t> counts)
      : contexts_(profile->contexts), counts_(std::move(counts)) {}

  bool ends_with(std::size_t context, const std::vector<Step>& path) const {
    for (std::size_t i = path.size(); i-- > 0;) {
      if (context == kNone || contexts_.method[context] != path[i].method) return false;
      if (i > 0 && path[i - 1].site && contexts_.site[context] != *path[i - 1].site) return false;
      // A root was called from no site.
      if (i > 0 && contexts_.parent[context] == kNone) return false;
      context = contexts_.parent[context];
    }
    return true;
  }
  std::vector<Index> ends_of(const std::vector<Step>& path) const {
    std::vector<Index> ends;
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      if (ends_with(i, path)) ends.push_back(static_cast<Index>(i));
    }
    return ends;
  }
  std::uint64_t count_of(const std::vector<Step>& path) const {
    std::uint64_t sum = 0;
    for (const Index end : ends_of(path)) sum += counts_[end];
    return sum;
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> targets_in(const std::vector<Index>& of) const {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> targets;
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
      const bool below = contexts_.parent[i] != kNone && std::ranges::count(of, contexts_.parent[i]) > 0;
      if (below) targets[{contexts_.site[i], contexts_.method[i]}] += counts_[i];
    }
    return targets;
  }

 private:
  const profile::Contexts& contexts_;
  std::vector<std::uint64_t> counts_;
};

std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> in_words(
    const std::vector<ContextQuestions::SiteTargets>& sites) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> targets;
  for (const auto& site : sites) {
    std::uint64_t sum = 0;
    for (const auto& target : site.targets) {
      EXPECT_TRUE(targets.emplace(std::pair(site.bci, target.method), target.count).second);
      sum += target.count;
    }
    EXPECT_EQ(site.count, sum);
    EXPECT_TRUE(std::ranges::is_sorted(site.targets, std::greater(), &ContextQuestions::Target::count));
  }
  return targets;
}

profile::Profile random_profile(std::uint64_t seed, bool call_sites, profile::Metric metric) {
  profile::RandomProfileOptions options;
  options.contexts = 150;
  options.methods = 5;
  options.identity.call_sites = call_sites;
  options.metrics = {std::move(metric)};
  return profile::RandomProfile(seed, options).profile();
}

std::vector<std::uint64_t> counts_of(const profile::Profile& profile) {
  std::vector<std::uint64_t> counts = profile->contexts.columns[0].value;
  if (profile->metrics[0].name != profile::kSamples) return counts;
  for (std::size_t i = counts.size(); i-- > 0;) {
    if (profile->contexts.parent[i] != kNone) counts[profile->contexts.parent[i]] += counts[i];
  }
  return counts;
}

// The hottest contexts of a call, from a map that is sorted by heat and from one that is not.
void expect_same_hottest(const ContextQuestions& sorted, const ContextQuestions& unsorted, const Step& caller,
                         std::uint32_t callee) {
  const std::vector<Index> calls = sorted.callees(caller, callee);
  for (const std::size_t most : {0UL, 1UL, 3UL, 10UL, 1000UL}) {
    EXPECT_EQ(sorted.hottest_contexts_of(calls, most), unsorted.hottest_contexts_of(calls, most));
  }
}

// All paths that end somewhere in the tree, and as many that do not, with and without sites.
void expect_as_scanned(const profile::Profile& profile, std::uint64_t seed) {
  const ContextMap map = map_of_contexts(profile, 0);
  ASSERT_TRUE(map.is_sorted_by_heat());
  ContextMap unsorted = map_of_contexts(profile, 0);
  unsorted.add_context(kNone, kNone, {profile->contexts.method[0]}, 0);
  ASSERT_FALSE(unsorted.is_sorted_by_heat());
  const PathOrder order(map);
  const ContextQuestions questions(map);
  const ContextQuestions ordered(map, &order);
  const Scan scan(profile, counts_of(profile));
  RandomStacks random(seed);
  for (int i = 0; i < 60; ++i) {
    std::vector<Step> path;
    auto context = random.below(static_cast<std::uint32_t>(profile->contexts.size()));
    std::uint32_t length = 1 + random.below(9);
    std::optional<std::uint32_t> site_below;
    for (; context != kNone && length > 0; context = profile->contexts.parent[context], --length) {
      path.insert(path.begin(), Step{profile->contexts.method[context], site_below});
      site_below.reset();
      if (profile->contexts.parent[context] != kNone && random.below(3) == 0) {
        site_below = profile->contexts.site[context];
      }
    }
    if (random.below(4) == 0) path[random.below(static_cast<std::uint32_t>(path.size()))].method = random.below(7);
    std::vector<Index> ends = questions.ends_of(path);
    std::ranges::sort(ends);
    EXPECT_EQ(ends, scan.ends_of(path));
    EXPECT_EQ(questions.count_of(path), scan.count_of(path));
    EXPECT_EQ(ordered.count_of(path), scan.count_of(path));
    EXPECT_EQ(in_words(questions.targets_in(ends)), scan.targets_in(ends));
    const Step last{path.back().method};
    EXPECT_EQ(in_words(questions.targets_of(last.method)), scan.targets_in(scan.ends_of({last})));

    if (path.size() > 1) {
      expect_same_hottest(questions, ContextQuestions(unsorted), path[path.size() - 2], path.back().method);
    }
    const std::vector<Index> hottest = questions.hottest(ends, 5);
    ASSERT_EQ(hottest.size(), std::min<std::size_t>(5, ends.size()));
    const auto colder = [&](Index a, Index b) { return map.refs()[a].count > map.refs()[b].count; };
    EXPECT_TRUE(std::ranges::is_sorted(hottest, colder));
    for (const Index end : ends) {
      const bool shown = std::ranges::count(hottest, end) > 0;
      EXPECT_TRUE(shown || map.refs()[end].count <= map.refs()[hottest.back()].count);
    }
  }
}

TEST(ContextQuestions, answers_are_those_of_a_scan) {
  for (std::uint64_t seed = 0; seed < 25; ++seed) {
    expect_as_scanned(random_profile(seed, true, {"calls", "", profile::MetricKind::kExact, 0}), seed);
    expect_as_scanned(random_profile(seed, false, {"calls", "", profile::MetricKind::kExact, 0}), seed);
    expect_as_scanned(random_profile(seed, seed % 2 == 0, {"samples", "", profile::MetricKind::kSamples, 0}), seed);
  }
}

TEST(ContextQuestions, context_i_of_a_profile_is_ref_i_of_its_map) {
  const profile::Profile profile = random_profile(3, true, {"calls", "", profile::MetricKind::kExact, 0});
  const ContextMap map = map_of_contexts(profile, 0);
  ASSERT_EQ(map.refs().size(), profile->contexts.size());
  for (std::size_t i = 0; i < profile->contexts.size(); ++i) {
    EXPECT_EQ(map.refs()[i].parent, profile->contexts.parent[i]);
    EXPECT_EQ(map.refs()[i].method, profile->contexts.method[i]);
    EXPECT_EQ(map.refs()[i].count, profile->contexts.columns[0].value[i]);
  }
}

// The same stacks as a tree and as sub-paths: the same answers, as long as paths are short enough.
TEST(ContextQuestions, a_tree_and_sub_paths_agree) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    RandomStacks random(seed);
    ContextMap tree;
    ContextMap paths({.shape = ContextMap::Shape::kSubPaths, .max_sub_path = 4});
    for (int i = 0; i < 80; ++i) {
      const Stack stack = random.stack(5, 2, 8);
      paths.add_sample(stack);
      Index at = kNone;
      std::uint32_t caller = kNone;
      for (const ContextMap::Frame& frame : stack) {
        at = tree.add_context(at, caller, frame, 1);
        caller = frame.method;
      }
    }
    for (int i = 0; i < 100; ++i) {
      std::vector<Step> path(1 + random.below(4));
      for (Step& step : path) {
        step.method = random.below(5);
        if (random.below(3) == 0) step.site = random.below(2);
      }
      EXPECT_EQ(ContextQuestions(paths).count_of(path), ContextQuestions(tree).count_of(path));
    }
    EXPECT_EQ(ContextQuestions(paths).count_of(std::vector<Step>(5, Step{0})), std::nullopt);
  }
}

TEST(ContextQuestions, a_site_has_one_target_here_and_two_overall) {
  ContextMap map;
  const Index a = map.add_context(kNone, kNone, {0}, 1);
  const Index b = map.add_context(a, 0, {1, 10}, 1);
  const Index e = map.add_context(kNone, kNone, {4}, 1);
  const Index b2 = map.add_context(e, 4, {1, 20}, 1);
  map.add_context(b, 1, {2, 7}, 100);
  map.add_context(b2, 1, {3, 7}, 50);
  map.add_context(b2, 1, {3, 9}, 1);
  const ContextQuestions questions(map);
  const Index site = map.find_site(1, 7);
  EXPECT_EQ(questions.only_target(site), kNone);
  EXPECT_EQ(questions.only_target(map.find_site(1, 9)), 3U);
  EXPECT_EQ(questions.only_target_in(map.find_site_ref(b, site)), 2U);
  EXPECT_EQ(questions.only_target_in(map.find_site_ref(b2, site)), 3U);
  EXPECT_EQ(questions.calls(1, 3), 51U);
  EXPECT_EQ(questions.calls(1, 7, 3), 50U);
  EXPECT_EQ(questions.calls(1, 8, 3), 0U);
}

TEST(ContextQuestions, samples_count_whole_stacks_and_other_metrics_do_not) {
  EXPECT_TRUE(counts_whole_stacks({"samples", "", profile::MetricKind::kSamples, 0}));
  EXPECT_FALSE(counts_whole_stacks({"activations", "", profile::MetricKind::kSamples, 0}));
  EXPECT_FALSE(counts_whole_stacks({"calls", "", profile::MetricKind::kEstimate, 8}));
}

TEST(ContextQuestions, edges_give_totals_by_site) {
  const profile::Profile profile = random_profile(5, false, {"calls", "", profile::MetricKind::kExact, 0});
  const ContextMap map = map_of_edges(profile, 0);
  ASSERT_GT(profile->edges.size(), 0U);
  for (std::size_t i = 0; i < profile->edges.size(); ++i) {
    EXPECT_EQ(ContextQuestions(map).calls(profile->edges.caller[i], profile->edges.site[i], profile->edges.callee[i]),
              profile->edges.columns[0].value[i]);
  }
}

}  // namespace
}  // namespace bursar::core
