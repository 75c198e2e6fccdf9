// GatheredContexts: contexts and call edges with their numbers, each once, as a profile has them.
//
// Contexts are rows that keep their place. Beyond the limit there is one more, the overflow, which has no children.
// One writer at a time, under the owner's lock.
// Owner: what gathers trees or samples.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>

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
  Row overflow();

  void count(CountTable& thread, Row context, std::uint64_t more);
  // Returns the edge's row; CountTable::kNoRow if there is no memory.
  Row count_edge(profile::MethodId caller, std::uint32_t site, profile::MethodId callee, std::uint64_t more);

  // Not yet frozen.
  profile::ProfileData to_profile(const profile::Metric& metric, const ByThread& threads) const;

 private:
  const bool call_sites_;
  const std::uint64_t max_contexts_;
  GatheredMethods names_;
  Row overflow_ = profile::kNone;
  CountTable contexts_;  // (parent, method, site)
  CountTable edges_;     // (caller, site, callee)
};

}  // namespace bursar::core
