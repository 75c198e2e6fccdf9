// Summary: what ran and how often, in one look at a profile.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::analysis {

// A number in natural units with its standard deviation, which is 0 unless it is an estimate.
struct Amount {
  double value = 0;
  double deviation = 0;
};

struct MethodRow {
  profile::MethodId method;
  Amount own;  // over all contexts
};

struct ContextRow {
  profile::ContextId context;
  Amount own;
  Amount subtree;  // with everything below it
};

struct EdgeRow {
  profile::MethodId caller;
  std::uint32_t site;
  profile::MethodId callee;
  Amount total;
};

struct Summary {
  std::optional<profile::Metric> metric;  // what the amounts count; nothing if the profile has no metric
  Amount total;                           // over all contexts; over all edges if the profile has no tree
  Amount overflow;                        // of the total, what lies beyond the limit of contexts
  std::size_t contexts = 0;
  std::size_t methods = 0;
  std::size_t threads = 0;  // as counted by the run; else those the profile names
  std::uint32_t max_depth = 0;
  // Hottest first, none of weight 0; equally hot ones in canonical order. The overflow is not among them.
  std::vector<MethodRow> hottest_methods;
  std::vector<ContextRow> hottest_contexts;
  std::vector<EdgeRow> hottest_edges;
};

// At most `top` rows of each sort. Metric by name, empty for the default; fails if the profile does not have it.
base::Result<Summary> summarize(const profile::Profile& profile, std::size_t top, const std::string& metric = "");

}  // namespace bursar::analysis
