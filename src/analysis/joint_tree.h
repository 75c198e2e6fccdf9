// JointTree: the calling-context trees of two profiles laid over each other, at the identity both share.
//
// A node stands for one context, that is for the edge from its parent (paper 000, definition 1): nodes are the same if
// their methods, and call sites where both sides keep them, are the same and their parents are. Contexts that only
// differ in what is left out (a site, a descriptor) fall together and their weights add up, as project() would do it.
// The overflow context of each side, and all below it, is a node of that side alone: it never matches, but its weight
// stays in the totals.
//
// Nodes are numbered in the order of the truth's contexts, then of what only the estimate has; parents come first.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/link.h"
#include "analysis/paired_weights.h"
#include "analysis/profile_pair.h"

namespace bursar::analysis {

struct JointTree {
  static constexpr std::uint8_t kInTruth = 1;
  static constexpr std::uint8_t kInEstimate = 2;
  static constexpr std::uint8_t kInOverflow = 4;

  std::vector<Link> link;  // parent node (kNone for the first frame of a thread), site, number of the method
  std::vector<std::uint8_t> where;
  PairedWeights weight;
  std::vector<double> estimate_variance;  // empty unless the estimate's metric has variances
  std::uint32_t methods = 0;              // as in ProfilePair

  std::size_t size() const { return link.size(); }
  bool in_truth(std::size_t node) const { return (where[node] & kInTruth) != 0; }
  bool in_estimate(std::size_t node) const { return (where[node] & kInEstimate) != 0; }
  bool in_overflow(std::size_t node) const { return (where[node] & kInOverflow) != 0; }
};

// One pass over each tree, in time proportional to their sizes, whatever their depth.
JointTree join_trees(const ProfilePair& pair);

// What a side's tree is made of.
struct TreeShare {
  std::size_t nodes = 0;      // contexts at the common identity
  double total = 0;           // weight
  double overflow_share = 0;  // of the total, 0 to 100
};

TreeShare truth_share(const JointTree& tree);
TreeShare estimate_share(const JointTree& tree);

}  // namespace bursar::analysis
