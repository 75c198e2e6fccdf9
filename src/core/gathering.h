// Gathering: what all threads of a run counted, brought together.
//
// Trees are added when their threads end and when the profile is written; trees of the same thread name share one tree
// of that name. Beyond kMaxThreads names, further threads share the one named kOtherThreads.
// Methods become one again by (class name normalised, name, descriptor). One writer at a time, under the owner's lock.
// Memory is that of the different contexts, and of those of each thread name.
// Owner: the session.
// Runs in: any thread that may allocate
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/context_tree.h"
#include "core/gathered_contexts.h"
#include "core/method_table.h"
#include "profile/profile.h"

namespace bursar::core {

inline constexpr std::size_t kMaxThreads = 1000;
inline constexpr std::string_view kOtherThreads = "other threads";

// Counts of some of a run's bursts: each stands for `weight`. The bursts of one group are independent of another's, so
// that what groups differ by tells how far the whole may be off.
inline constexpr std::size_t kGroups = 4;
struct Share {
  static constexpr std::size_t kAllGroups = kGroups;  // it is not left to chance
  std::uint64_t weight = 1;
  std::size_t group = kAllGroups;
  bool is_whole_thread = true;  // or one of several trees of one
};
using ByGroup = std::array<std::uint64_t, kGroups>;

class Gathering {
 public:
  // Calls in contexts beyond `max_contexts` go to the overflow context; live trees have their own limit.
  Gathering(const MethodTable& methods, bool call_sites, std::uint64_t max_contexts = profile::kNone - 1);

  // Returns how many entries (a context through a slot) of the tree were counted at all.
  std::uint64_t add(const ContextTree& tree, std::string_view thread_name, Share share = {});

  std::uint64_t threads() const { return threads_; }
  // What groups counted, by row of the profile's contexts and edges; rows behind the end have none.
  const std::vector<ByGroup>& contexts_by_group() const { return contexts_by_group_; }
  const std::vector<ByGroup>& edges_by_group() const { return edges_by_group_; }
  // Contexts, edges (caller, site, callee) and threads with the metric "calls", the overflow context (if any call went
  // there), identity, the counters threads, tree_contexts, tree_bytes and tree_lookups (of all trees that were added);
  // not yet frozen. Adds what is gathered so far and stays usable.
  profile::ProfileData to_profile() const;

 private:
  using Row = GatheredContexts::Row;

  CountTable& tree_of(std::string_view thread_name);
  std::uint32_t site_of(MethodId caller, std::uint32_t slot) const;
  static void count_in_group(std::vector<ByGroup>& rows, Row row, const Share& share, std::uint64_t calls);

  const MethodTable& methods_;
  std::uint64_t threads_ = 0;
  std::uint64_t tree_contexts_ = 0;
  std::uint64_t tree_bytes_ = 0;
  std::uint64_t tree_lookups_ = 0;
  GatheredContexts whole_;
  GatheredContexts::ByThread by_thread_;
  std::vector<ByGroup> contexts_by_group_, edges_by_group_;
};

}  // namespace bursar::core
