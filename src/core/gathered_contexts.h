// GatheredContexts: contexts and call edges with their numbers, each once, as a profile has them.
//
// Contexts are rows that keep their place until some are removed; a parent's is below its children's. Beyond the limit
// there is one more, the overflow, which has no children.
// One writer at a time, under the owner's lock.
// Owner: what gathers trees or samples.
// Runs in: any thread that may allocate
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/count_table.h"
#include "core/gathered_methods.h"
#include "profile/profile.h"

namespace bursar::core {

class GatheredContexts {
 public:
  using Row = std::uint32_t;
  using ByThread = std::map<std::string, CountTable, std::less<>>;  // the key of a row is (context, 0, 0)

  GatheredContexts(const MethodTable& methods, bool call_sites, std::uint64_t max_contexts)
      : call_sites_(call_sites), max_contexts_(max_contexts), names_(methods) {}

  profile::MethodId id_of(MethodId method) { return names_.id_of(method); }
  // `parent` is profile::kNone for the first frame of a thread.
  Row context_of(Row parent, profile::MethodId method, std::uint32_t site);
  // CountTable::kNoRow if it is not there.
  Row find_context(Row parent, profile::MethodId method, std::uint32_t site) const;
  Row overflow();
  std::uint64_t limit() const { return max_contexts_; }
  // For so many more contexts.
  std::uint64_t room() const { return max_contexts_ - std::min(max_contexts_, own_contexts()); }

  // Keeps that many contexts, those with the most heat in them and below them (`heat`: by row). What the others counted
  // is the overflow's from now on. Returns where each row is now; nothing, if there is no memory.
  std::vector<Row> keep_hottest(std::vector<std::uint64_t> heat, std::uint64_t most);

  void count(CountTable& thread, Row context, std::uint64_t more);
  // Returns the edge's row; CountTable::kNoRow if there is no memory.
  Row count_edge(profile::MethodId caller, std::uint32_t site, profile::MethodId callee, std::uint64_t more);

  // Not yet frozen.
  profile::ProfileData to_profile(const profile::Metric& metric, const ByThread& threads) const;

 private:
  CountTable::Key key_of(Row parent, profile::MethodId method, std::uint32_t site) const {
    return {parent, method, call_sites_ && parent != profile::kNone ? site : profile::kNoSite};
  }
  // Without the overflow.
  std::uint64_t own_contexts() const { return contexts_.size() - (overflow_ == profile::kNone ? 0 : 1); }

  const bool call_sites_;
  const std::uint64_t max_contexts_;
  GatheredMethods names_;
  Row overflow_ = profile::kNone;
  CountTable contexts_;  // (parent, method, site)
  CountTable edges_;     // (caller, site, callee)
};

}  // namespace bursar::core
