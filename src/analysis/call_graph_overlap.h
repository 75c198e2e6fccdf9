// Call-graph overlap (paper 001, section 5.2): the overlap sum over edges (caller, site, callee).
//
// Call sites count only where both sides know them; else edges are (caller, callee). An edge from or to an overflow
// never matches, but its weight stays in the totals.
//
// The paper's compiler inlines trivial callees, so that its profiles never hold calls to them: the measure is taken
// over both populations. Which callees are trivial depends on a compiler, so the caller says; a method is trivial if it
// is so on either side, because often only one of them knows.
#pragma once

#include <functional>
#include <optional>

#include "analysis/profile_pair.h"

namespace bursar::analysis {

using MethodPredicate = std::function<bool(const profile::Method&)>;

struct CallGraphOverlap {
  double all = 0;                         // 0 to 100
  std::optional<double> without_trivial;  // calls to trivial callees taken out of both sides; needs a predicate
  bool sites_truth = false;               // the side knows call sites
  bool sites_estimate = false;
  std::size_t edges_truth = 0;
  std::size_t edges_estimate = 0;
  std::size_t edges_common = 0;

  // Edges are told apart by call site where both sides know them.
  bool by_site() const { return sites_truth && sites_estimate; }
};

// Nothing if the truth's call graph has no weight. `is_trivial` may be empty.
std::optional<CallGraphOverlap> call_graph_overlap(const ProfilePair& pair, const MethodPredicate& is_trivial);

}  // namespace bursar::analysis
