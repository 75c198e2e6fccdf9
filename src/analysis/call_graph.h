// CallGraph: the totals of a profile by (caller, site, callee), over all contexts.
//
// Taken from the profile's own edges where it has any with a weight in the metric, else derived from its contexts: a
// context is a call from its parent's method. The first frame of a thread has no caller and is no edge.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace bursar::analysis {

struct CallEdge {
  profile::MethodId caller;
  std::uint32_t site;  // kNoSite where it is not known
  profile::MethodId callee;
  double weight;
  double variance;
};

struct CallGraph {
  std::vector<CallEdge> edges;  // no two alike
  bool derived = false;         // from the contexts
  bool sites = false;           // at least one edge knows its call site
};

CallGraph call_graph(const profile::Profile& profile, std::size_t metric);

}  // namespace bursar::analysis
