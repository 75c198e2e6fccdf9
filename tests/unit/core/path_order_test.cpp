#include "core/path_order.h"

#include <gtest/gtest.h>

#include <limits>
#include <map>
#include <random>

namespace bursar::core {
namespace {

using Methods = std::vector<ContextMap::Method>;
constexpr ContextMap::Index kNone = ContextMap::kNone;

// Stacks over few methods, so that they recur and go deep; several roots.
ContextMap random_tree(std::uint64_t seed, std::size_t contexts) {
  std::mt19937_64 random(seed);
  ContextMap map;
  map.add_context(kNone, kNone, {0}, 1);
  while (map.refs().size() < contexts) {
    const auto parent =
        static_cast<ContextMap::Index>(map.refs().size() - 1 - random() % std::min<std::size_t>(3, map.refs().size()));
    const auto method = static_cast<ContextMap::Method>(random() % 3);
    const auto site = static_cast<std::uint32_t>(random() % 2);
    if (random() % 50 == 0) {
      map.add_context(kNone, kNone, {method}, random() % 9);
    } else {
      map.add_context(parent, map.refs()[parent].method, {method, site}, random() % 9);
    }
  }
  return map;
}

// Each context counts for all ends of its path.
std::map<Methods, std::uint64_t> counts_by_path(const ContextMap& map, std::size_t longest) {
  std::map<Methods, std::uint64_t> counts;
  for (const ContextMap::CalleeRef& ref : map.refs()) {
    Methods path = {ref.method};
    for (ContextMap::Index at = ref.parent;; at = map.refs()[at].parent) {
      counts[path] += ref.count;
      if (at == kNone || path.size() == longest) break;
      path.insert(path.begin(), map.refs()[at].method);
    }
  }
  return counts;
}

TEST(PathOrder, counts_are_those_of_all_contexts_that_end_with_the_path) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const ContextMap map = random_tree(seed, 400);
    const PathOrder order(map);
    for (const auto& [path, count] : counts_by_path(map, PathOrder::kLongest)) {
      ASSERT_EQ(order.count_of(path), count);
      Methods other = path;
      other.front() = 3;  // no context has it
      ASSERT_EQ(order.count_of(other), 0);
    }
  }
}

TEST(PathOrder, a_recursion_is_counted_at_every_length_up_to_the_longest) {
  ContextMap map;
  ContextMap::Index at = map.add_context(kNone, kNone, {7}, 1);
  for (int depth = 1; depth < 1000; ++depth) at = map.add_context(at, 7, {7}, 1);
  const PathOrder order(map);
  for (std::size_t length = 1; length <= PathOrder::kLongest; ++length) {
    EXPECT_EQ(order.count_of(Methods(length, 7)), 1001 - length);
  }
  EXPECT_EQ(order.count_of(Methods(PathOrder::kLongest + 1, 7)), std::nullopt);
}

TEST(PathOrder, of_an_empty_map_or_path_nothing_is_counted) {
  const ContextMap map;
  const PathOrder order(map);
  EXPECT_EQ(order.count_of(Methods{}), 0);
  EXPECT_EQ(order.count_of(Methods{0}), 0);
  EXPECT_EQ(order.count_of(Methods{kNone}), 0);
}

TEST(PathOrder, sums_that_are_too_large_are_none) {
  ContextMap map;
  const ContextMap::Index root = map.add_context(kNone, kNone, {0}, std::numeric_limits<std::uint64_t>::max());
  map.add_context(root, 0, {1}, 1);
  EXPECT_EQ(PathOrder(map).count_of(Methods{0, 1}), std::nullopt);
}

}  // namespace
}  // namespace bursar::core
