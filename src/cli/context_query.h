// ContextQuery: questions about the calls of a profile and their contexts, with amounts as they are shown.
//
// Asks the Call Context Map (core/context_questions.h); adds what the map does not know: what one step of a number is
// worth, and the errors of estimates. The profile must outlive this.
#pragma once

#include <span>
#include <vector>

#include "analysis/summary.h"
#include "core/context_map.h"
#include "core/context_questions.h"
#include "profile/profile.h"

namespace bursar::cli {

// A call over all its contexts.
struct HotCall {
  profile::MethodId caller;
  std::uint32_t site;
  profile::MethodId callee;
  analysis::Amount amount;
  std::size_t contexts;
  std::size_t half_in;  // so many of them have half of it
  bool only_target;     // nothing else is called from there
};

struct CallTarget {
  profile::MethodId method;
  analysis::Amount amount;
};

// What is called from one site; from all of a method where contexts do not know sites.
struct CallsFrom {
  std::uint32_t site;
  analysis::Amount amount;
  std::vector<CallTarget> targets;  // hottest first
  std::size_t targets_overall;      // in all contexts
};

struct PathAnswer {
  analysis::Amount amount;     // of the path, over all contexts
  analysis::Amount last_call;  // the path's last call, whatever leads there; of a path of one method, as `amount`
  analysis::Amount method;     // its last method, whoever calls it
  std::size_t contexts = 0;
  std::vector<std::pair<profile::ContextId, analysis::Amount>> hottest;  // at most `top` of them
  std::vector<CallTarget> callers;                                       // of the path's first method; hottest first
  std::vector<CallsFrom> calls;                                          // of its last method, in these contexts
  // The call sites of its last method, in all contexts, from the edges that are kept beside a tree without sites.
  std::vector<CallsFrom> sites;
};

class ContextQuery {
 public:
  using Path = std::span<const core::ContextQuestions::Step>;

  ContextQuery(const profile::Profile& profile, std::size_t metric);

  const core::ContextMap& map() const { return map_; }
  // Of all contexts: of samples, all samples.
  const analysis::Amount& total() const { return total_; }
  // Whether sites are known, of contexts or at least of edges.
  bool contexts_know_sites() const { return data_.identity.call_sites; }
  bool edges_know_sites() const { return !edge_map_.callees().empty(); }

  // From where the method calls, ascending, as far as that is known.
  std::vector<std::uint32_t> call_sites_of(profile::MethodId method) const;

  std::vector<HotCall> hottest_calls(std::size_t top) const;
  // Only contexts in which the path begins at the root, if `from_root`. The site of the last step picks among its
  // calls.
  PathAnswer answer(Path path, bool from_root, std::size_t top) const;

 private:
  using Index = core::ContextMap::Index;

  // Of CalleeRefs.
  analysis::Amount amount_of(std::span<const Index> refs) const;
  analysis::Amount amount_of_edges(std::span<const Index> callees) const;
  std::vector<CallTarget> callers_of(std::span<const Index> ends, std::size_t path_size) const;
  std::vector<CallsFrom> calls_in(std::span<const Index> ends, const core::ContextQuestions::Step& last) const;
  std::vector<CallsFrom> recorded_sites(const core::ContextQuestions::Step& last) const;

  const profile::ProfileData& data_;
  std::size_t metric_;
  double step_;
  core::ContextMap map_;       // of the contexts
  core::ContextMap edge_map_;  // empty unless contexts lack the sites that edges have
  core::ContextQuestions questions_;
  analysis::Amount total_;
};

}  // namespace bursar::cli
