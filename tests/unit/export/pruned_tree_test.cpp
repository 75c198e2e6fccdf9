#include "export/pruned_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "export/folded.h"
#include "random_profile.h"

namespace {

using bursar::exports::import_folded;
using bursar::exports::prune;
using bursar::exports::PrunedTree;
using bursar::exports::TreeLimits;
using bursar::exports::whole_numbers;
using namespace bursar::profile;

Profile random_profile(std::uint64_t seed) {
  RandomProfileOptions options;
  options.contexts = 120;
  options.metrics = {{kCalls, "", MetricKind::kEstimate, 4}, {"bytecodes", "", MetricKind::kExact, 0}};
  return freeze(RandomProfile(seed, options).data()).value();
}

bool is_above(const Contexts& contexts, ContextId ancestor, ContextId at) {
  while (at != kNone && at != ancestor) at = contexts.parent[at];
  return at == ancestor;
}

std::uint64_t naive_total(const Contexts& contexts, std::size_t metric, ContextId top) {
  std::uint64_t sum = 0;
  for (ContextId id = 0; id < contexts.size(); ++id) {
    if (is_above(contexts, top, id)) sum += contexts.columns[metric].value[id];
  }
  return sum;
}

std::uint64_t node_total(const PrunedTree& tree, std::size_t metric, std::uint32_t top) {
  std::uint64_t sum = 0;
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    std::uint32_t at = node;
    while (at != kNone && at != top) at = tree.parent[at];
    if (at == top) sum += tree.columns[metric].value[node];
  }
  return sum;
}

TEST(PrunedTree, shows_everything_without_limits) {
  const Profile profile = random_profile(1);
  const PrunedTree tree = prune(profile, {});
  ASSERT_EQ(tree.size(), profile->contexts.size());
  EXPECT_EQ(tree.parent, profile->contexts.parent);
  EXPECT_EQ(tree.columns, profile->contexts.columns);
  EXPECT_EQ(tree.pruned.contexts, 0U);
}

TEST(PrunedTree, keeps_every_shown_total_whatever_is_left_out) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const Profile profile = random_profile(seed);
    const Contexts& contexts = profile->contexts;
    TreeLimits limits{
        .metric = seed % 2, .min_share_percent = static_cast<double>(seed % 7), .max_contexts = seed % 40};
    const PrunedTree tree = prune(profile, limits);
    std::size_t shown = 0, left_out = 0;
    for (std::uint32_t node = 0; node < tree.size(); ++node) {
      left_out += tree.left_out[node];
      ASSERT_EQ(tree.stands_in(node), tree.left_out[node] > 0);
      if (tree.parent[node] != kNone) {
        ASSERT_LT(tree.parent[node], node);
        ASSERT_FALSE(tree.stands_in(tree.parent[node]));
      }
      if (tree.stands_in(node)) continue;
      ++shown;
      const ContextId id = tree.context[node];
      ASSERT_EQ(tree.node_of[id], node);
      for (std::size_t metric = 0; metric < 2; ++metric) {
        ASSERT_EQ(node_total(tree, metric, node), naive_total(contexts, metric, id));
      }
    }
    ASSERT_EQ(shown + left_out, contexts.size());
    ASSERT_EQ(tree.pruned.contexts, left_out);
    ASSERT_TRUE(limits.max_contexts == 0 || shown <= limits.max_contexts);
    for (std::size_t metric = 0; metric < 2; ++metric) {
      const auto sum = [](const Column& column) {
        return std::accumulate(column.value.begin(), column.value.end(), std::uint64_t{0});
      };
      ASSERT_EQ(sum(tree.columns[metric]), sum(contexts.columns[metric]));
    }
  }
}

TEST(PrunedTree, shows_the_largest_subtrees) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Profile profile = random_profile(seed);
    const Contexts& contexts = profile->contexts;
    const PrunedTree tree = prune(profile, {.max_contexts = 20});
    std::uint64_t smallest_shown = ~std::uint64_t{0}, largest_left_out = 0;
    for (ContextId id = 0; id < contexts.size(); ++id) {
      const std::uint64_t total = naive_total(contexts, 0, id);
      if (tree.context[tree.node_of[id]] == id) {
        smallest_shown = std::min(smallest_shown, total);
      } else {
        largest_left_out = std::max(largest_left_out, total);
      }
    }
    ASSERT_GE(smallest_shown, largest_left_out);
  }
}

TEST(PrunedTree, keeps_as_much_of_a_chain_of_equal_totals_as_it_may) {
  const Profile profile = import_folded("a;b;c;d;e;f 7\n", "calls").value();
  const PrunedTree tree = prune(profile, {.max_contexts = 3});
  ASSERT_EQ(tree.size(), 4U);
  EXPECT_EQ(tree.left_out, (std::vector<std::uint32_t>{0, 0, 0, 3}));
  EXPECT_EQ(tree.columns[0].value[3], 7U);
}

TEST(PrunedTree, of_nothing_is_nothing) {
  Profile profile = import_folded("", "calls").value();
  EXPECT_EQ(prune(profile, {.min_share_percent = 5, .max_contexts = 3}).size(), 0U);
}

TEST(WholeNumbers, add_up_to_the_true_total) {
  // 5/16 each.
  const Column column{std::vector<std::uint64_t>(100, 5), {}};
  const std::vector<std::uint64_t> whole = whole_numbers(column, 4);
  for (std::size_t end = 0; end <= 100; ++end) {
    const auto sum = std::accumulate(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(end), std::uint64_t{0});
    EXPECT_NEAR(static_cast<double>(sum), static_cast<double>(end) * 5 / 16, 0.5);
  }
}

TEST(WholeNumbers, leave_whole_ones_as_they_are) {
  EXPECT_EQ(whole_numbers({{0, 16, 48, ~std::uint64_t{0}}, {}}, 4), (std::vector<std::uint64_t>{0, 1, 3, 1ULL << 60}));
  EXPECT_EQ(whole_numbers({{7, 0, ~std::uint64_t{0}}, {}}, 0), (std::vector<std::uint64_t>{7, 0, ~std::uint64_t{0}}));
}

}  // namespace
