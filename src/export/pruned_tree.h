// PrunedTree: the contexts of a profile that an export shows, and stand-ins for what it leaves out.
//
// Most formats take up as much room as there are frames in all stacks, so that large profiles are cut down before they
// are written. What is left out below a context becomes one node, its last child, that has the number of all of it: so
// the totals of every shown context, and of the whole, are the same with and without pruning.
//
// Invariant: nodes are in pre-order; a node's parent is shown, and never a stand-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "export/subtree.h"
#include "profile/profile.h"

namespace bursar::exports {

// Both limits hold: a context is shown if its subtree is large enough and among the largest.
struct TreeLimits {
  std::size_t metric = 0;        // index into ProfileData::metrics: what "large" means
  double min_share_percent = 0;  // of the total
  std::size_t max_contexts = 0;  // 0 is no limit
};

struct PrunedTree {
  std::vector<profile::ContextId> context;  // kNone for a stand-in
  std::vector<std::uint32_t> parent;        // a node; kNone for the first frame of a thread
  std::vector<std::uint32_t> left_out;      // contexts a stand-in stands for; 0 for others
  std::vector<profile::Column> columns;     // one for each metric: own numbers
  std::vector<std::uint32_t> node_of;       // by ContextId: its node, or the stand-in for it
  Pruned pruned;                            // contexts that have no node, and their number in the metric

  std::size_t size() const { return context.size(); }
  bool stands_in(std::size_t node) const { return context[node] == profile::kNone; }
};

PrunedTree prune(const profile::Profile& profile, const TreeLimits& limits);

// How a stand-in is called in formats that only know frames.
inline constexpr const char* kLeftOutName = "[left out]";

// The frame of each node's method, as other tools write it (frame_name.h), not escaped.
std::vector<std::string> frame_names(const profile::ProfileData& data);

// Fixed-point numbers as whole ones, for formats that know no fractions. What rounding leaves is carried on to the next
// number, so that every subtree's total is the true one up to 1, and the whole's up to ½.
std::vector<std::uint64_t> whole_numbers(const profile::Column& column, unsigned scale_log2);

}  // namespace bursar::exports
