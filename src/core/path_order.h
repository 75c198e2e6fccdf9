// PathOrder: the contexts of a Call Context Map's tree in the order of their paths, read from the innermost method
// outwards. Contexts that end with the same methods stand together, so the count of a path over all contexts is a
// search and the difference of two sums, however many contexts have it: a long recursion costs no more than anything
// else.
//
// Beside the map and not in it, because who asks once does not need it. Made by prefix doubling (Manber and Myers 1990,
// of suffixes; here the paths of a tree). 12 bytes a context. What is added to the map later is not in it.
//
// Invariant: order_[first_of_method_[m] … first_of_method_[m + 1]) are the contexts of method m; sums_[i] is the sum of
// the counts of the first i of order_.
// Keeps a reference: the map must outlive this. Owner: who asks. Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/context_map.h"

namespace bursar::core {

class PathOrder {
 public:
  using Method = ContextMap::Method;
  using Index = ContextMap::Index;
  static constexpr std::size_t kLongest = 32;  // methods; a power of two

  // Of a tree.
  explicit PathOrder(const ContextMap& map);

  // How often was the path taken, over all contexts and by whatever call sites? Nothing if it is longer than kLongest,
  // or if all counts together are too large for their sum.
  std::optional<std::uint64_t> count_of(std::span<const Method> path) const;

  std::size_t bytes() const;

 private:
  void sort();
  // Below 0 if the methods above `context` come before those of the path but its last, above 0 if after them.
  int compare(Index context, std::span<const Method> path) const;

  const ContextMap& map_;
  bool fits_ = true;
  std::vector<Index> order_;
  std::vector<std::uint64_t> sums_;
  std::vector<std::size_t> first_of_method_;
};

}  // namespace bursar::core
