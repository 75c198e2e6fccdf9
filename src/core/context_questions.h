// What one asks a Call Context Map (paper 004, section 3.1.3), answered by following its links.
//
// A path is a chain of methods, each calling the next, anywhere in a stack; a step may name the call site through which
// it calls. Totals of a method and of a call are read off their nodes. Longer paths: in a map of sub-paths each has a
// node of its own; in a tree those of up to four methods have a counter, and of others the contexts of the rarest pair
// of calls on the path are looked up and down, or counted by a PathOrder. Answers about contexts speak of those that
// the map still has.
//
// Keeps references: map and order must outlive this. Indices hold until something is removed from the map.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/context_map.h"
#include "core/path_order.h"

namespace bursar::core {

class ContextQuestions {
 public:
  using Method = ContextMap::Method;
  using Index = ContextMap::Index;

  struct Step {
    Method method = ContextMap::kNone;
    std::optional<std::uint32_t> site = std::nullopt;  // in this method, of the call to the next; nothing: any
  };
  using Path = std::span<const Step>;

  // One method that is called, by one or several nodes.
  struct Target {
    Method method = ContextMap::kNone;
    std::uint64_t count = 0;
    std::vector<Index> nodes;  // Callees, or CalleeRefs
  };
  struct SiteTargets {
    std::uint32_t bci = profile::kNoSite;
    std::uint64_t count = 0;
    std::vector<Target> targets;  // hottest first

    bool single() const { return targets.size() == 1; }
  };

  // The order, if there is one, is of this map as it is.
  explicit ContextQuestions(const ContextMap& map, const PathOrder* order = nullptr) : map_(map), order_(order) {}

  // How often is this callee called from this method, from this site?
  std::uint64_t calls(Method caller, Method callee) const;
  std::uint64_t calls(Method caller, std::uint32_t bci, Method callee) const;
  // The Callees of that call, one for each site.
  std::vector<Index> callees(const Step& caller, Method callee) const;

  // The contexts (CalleeRefs) that end with the path: in a tree those of its last method, of sub-paths the path itself.
  std::vector<Index> ends_of(Path path) const;
  // How often was the path taken, over all contexts? Nothing if a map of sub-paths has only shorter ones.
  std::optional<std::uint64_t> count_of(Path path) const;

  // In which contexts is a hot call hot? The `most` hottest of these, hottest first; equal ones in order of index.
  std::vector<Index> hottest(std::vector<Index> contexts, std::size_t most) const;
  // Of the contexts of these Callees. Looks at hardly more than these if the map is sorted by heat.
  std::vector<Index> hottest_contexts_of(std::span<const Index> callees, std::size_t most) const;
  // The contexts of a Callee.
  std::vector<Index> contexts_of(Index callee) const;
  // From the root to the context.
  std::vector<Index> stack_of(Index context) const;

  // Has this site one target, overall and in this context? kNone if it has several, or none.
  Method only_target(Index site) const;
  Method only_target_in(Index site_ref) const;
  // What a method calls from where: overall, and in these contexts of it. Sorted by site.
  std::vector<SiteTargets> targets_of(Method method) const;
  std::vector<SiteTargets> targets_in(std::span<const Index> contexts) const;

 private:
  // The nodes that may stand at each position of a path.
  struct Places {
    std::vector<std::vector<Index>> callees;  // from position 1 on
    std::vector<std::vector<Index>> pairs;    // from position 2 on; of a tree only
  };
  Places places_of(Path path) const;
  // In a tree, do the calls above `context`, which stands at `position`, follow the path?
  bool leads_to(Index context, const Places& places, std::size_t position) const;
  // Ends of the path below `context`, which stands at `position`.
  void follow(Index context, const Places& places, std::size_t position, std::vector<Index>& ends) const;
  bool is_hotter(Index a, Index b) const;

  // By the order, if there is one and it can: it knows no call sites.
  std::optional<std::uint64_t> ordered_count_of(Path path) const;

  const ContextMap& map_;
  const PathOrder* order_;
};

}  // namespace bursar::core
