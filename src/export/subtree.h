// Subtree totals of a context tree, and the pruning that every picture of a tree needs.
//
// Relies on the canonical order of a Profile: contexts are in pre-order, so one backward sweep adds every subtree up
// and no depth of recursion matters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace bursar::exports {

struct Subtrees {
  std::vector<std::uint64_t> total;      // own number and that of everything below, saturating
  std::vector<profile::ContextId> size;  // contexts in the subtree, itself included: the next sibling is at id + size
  std::uint64_t sum = 0;                 // over all roots
};

// `own` has one number for each context.
Subtrees subtrees_of(const profile::Contexts& contexts, const std::vector<std::uint64_t>& own);

// What was left out of a picture, so that it can be said.
struct Pruned {
  std::size_t contexts = 0;
  std::uint64_t amount = 0;  // in units of the metric's fixed point
};

// The smallest subtree total that reaches `min_share_percent` of `sum`.
std::uint64_t share_threshold(std::uint64_t sum, double min_share_percent);

// A fixed-point number of a metric as the nearest whole number.
constexpr std::uint64_t rounded(std::uint64_t value, unsigned scale_log2) {
  if (scale_log2 == 0) return value;
  const std::uint64_t whole = value >> scale_log2;
  return whole + (value >> (scale_log2 - 1) & 1);
}

}  // namespace bursar::exports
