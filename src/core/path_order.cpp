#include "core/path_order.h"

#include <algorithm>
#include <numeric>

namespace bursar::core {
namespace {

constexpr ContextMap::Index kNone = ContextMap::kNone;

// `from` in the order of `key`, which is below `keys`; equal ones stay as they were.
template <class Key>
void counting_sort(const std::vector<ContextMap::Index>& from, std::vector<ContextMap::Index>& to, std::size_t keys,
                   const Key& key) {
  std::vector<std::size_t> next(keys + 1);
  for (const ContextMap::Index each : from) ++next[key(each) + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  for (const ContextMap::Index each : from) to[next[key(each)]++] = each;
}

}  // namespace

PathOrder::PathOrder(const ContextMap& map) : map_(map), order_(map.refs().size()), sums_(map.refs().size() + 1) {
  sort();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint64_t count = map.refs()[order_[i]].count;
    fits_ = fits_ && sums_[i] + count >= count;
    sums_[i + 1] = sums_[i] + count;
  }
  first_of_method_.assign(map.methods().size() + 1, 0);
  for (const ContextMap::CalleeRef& ref : map.refs()) ++first_of_method_[ref.method + std::size_t{1}];
  std::partial_sum(first_of_method_.begin(), first_of_method_.end(), first_of_method_.begin());
}

// In each round contexts are in the order of their innermost `length` methods, and `rank` says which of them are equal:
// the ranks of a context and of the one `length` above it order twice as many. Above a root there is rank 0.
void PathOrder::sort() {
  const std::size_t size = order_.size();
  std::vector<Index> rank(size), above(size), other(size);
  for (std::size_t i = 0; i < size; ++i) {
    rank[i] = map_.refs()[i].method + 1;
    above[i] = map_.refs()[i].parent;
  }
  const auto rank_above = [&](Index ref) { return above[ref] == kNone ? Index{0} : rank[above[ref]]; };
  std::size_t ranks = map_.methods().size() + 1;
  std::iota(other.begin(), other.end(), Index{0});
  counting_sort(other, order_, ranks, [&](Index ref) { return rank[ref]; });
  bool all_differ = false;
  for (std::size_t length = 1; length < kLongest && !all_differ; length *= 2) {
    counting_sort(order_, other, ranks, rank_above);
    counting_sort(other, order_, ranks, [&](Index ref) { return rank[ref]; });
    std::vector<Index> next_rank(size);
    Index last = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const bool same =
          i > 0 && rank[order_[i]] == rank[order_[i - 1]] && rank_above(order_[i]) == rank_above(order_[i - 1]);
      next_rank[order_[i]] = last += same ? 0 : 1;
    }
    rank = std::move(next_rank);
    ranks = last + std::size_t{1};
    all_differ = last == size;
    for (std::size_t i = 0; i < size; ++i) other[i] = above[i] == kNone ? kNone : above[above[i]];
    above.swap(other);
  }
}

int PathOrder::compare(Index context, std::span<const Method> path) const {
  for (std::size_t i = path.size() - 1; i-- > 0;) {
    context = map_.refs()[context].parent;
    if (context == kNone) return -1;
    const Method method = map_.refs()[context].method;
    if (method != path[i]) return method < path[i] ? -1 : 1;
  }
  return 0;
}

std::optional<std::uint64_t> PathOrder::count_of(std::span<const Method> path) const {
  if (path.size() > kLongest || !fits_) return std::nullopt;
  if (path.empty() || path.back() + std::size_t{1} >= first_of_method_.size()) return 0;
  const auto at = [&](std::size_t i) { return order_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto begin = at(first_of_method_[path.back()]), end = at(first_of_method_[path.back() + std::size_t{1}]);
  const auto first = std::partition_point(begin, end, [&](Index ref) { return compare(ref, path) < 0; });
  const auto last = std::partition_point(first, end, [&](Index ref) { return compare(ref, path) <= 0; });
  return sums_[static_cast<std::size_t>(last - order_.begin())] -
         sums_[static_cast<std::size_t>(first - order_.begin())];
}

std::size_t PathOrder::bytes() const {
  return order_.capacity() * sizeof(Index) + sums_.capacity() * sizeof(std::uint64_t) +
         first_of_method_.capacity() * sizeof(std::size_t);
}

}  // namespace bursar::core
