// ContextMap: the Call Context Map of paper 004 (section 3.1): which method calls which, how often, over all contexts
// and in each, linked so that questions are answered by following references.
//
//   MethodProfile  a method: its total, its call sites, the calls that reach it
//   CallSite       a place in a method that calls: its total, its callees, the same place in each context
//   Callee         what a site calls: the total over all contexts, and the same call in each context
//   CallPair       a call made by what another call called: its total, and its contexts. In a tree, the contexts of a
//                  Callee are listed by the call above them, so that few are looked at for a path
//   CallTriple     a pair below another that it overlaps with: its total, of a tree
//   CalleeRef      one call in one context: its count there, the call it is, the context around it, what it calls
//   CallSiteRef    one site in one context: the calls that it makes there
//
// CalleeRefs form trees. A root stands for a method; every other one for a call from its parent's method. What the
// trees mean is for the feeder to choose, and a map has one feeder only:
//   kTree      complete contexts, from the first frame of a thread: one tree and its cross-links (add_context)
//   kSubPaths  for each method the paths that begin there, whatever lies above (add_sample), as the paper builds them.
//              They grow with the square of a sample's frames, so a path has at most `max_sub_path` methods
//
// Invariant: a parent's index is below its children's; a Callee's list holds all its CalleeRefs, and a CallSite's all
// its CallSiteRefs. Totals of methods, sites and callees count what was fed, whether or not its context is kept.
//
// Memory is bounded: beyond `max_contexts` CalleeRefs samples make room by removing what is coldest, and trees count in
// totals only (lost_contexts); beyond `max_calls` Callees likewise (lost_calls). Method numbers are dense, from 0.
// One writer, which is also the only reader while it writes. Indices hold until something is removed.
// Owner: who asks it: a consumer of samples, or a command with a profile.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/hash_index.h"
#include "profile/profile.h"

namespace bursar::core {

class ContextMap {
 public:
  using Method = profile::MethodId;
  using Index = std::uint32_t;
  static constexpr Index kNone = profile::kNone;

  enum class Shape : std::uint8_t { kTree, kSubPaths };

  struct Options {
    Shape shape = Shape::kTree;
    std::uint32_t max_sub_path = 4;  // methods of a path, at least 2; of kSubPaths only
    std::size_t max_contexts = 4'000'000;
    std::size_t max_calls = 1'000'000;
  };

  struct Frame {
    Method method = kNone;
    std::uint32_t site = profile::kNoSite;  // in the caller: where it was called
  };

  struct MethodProfile {
    std::uint64_t total = 0;
    Index first_site = kNone;      // CallSite
    Index first_incoming = kNone;  // Callee that reaches this method
    Index root = kNone;            // CalleeRef without a parent
  };
  struct CallSite {
    Method caller = kNone;
    std::uint32_t bci = profile::kNoSite;
    std::uint64_t total = 0;
    Index first_callee = kNone;
    Index next_of_method = kNone;
    Index first_ref = kNone;  // CallSiteRef: the site in its contexts
  };
  struct Callee {
    Index site = kNone;
    Method method = kNone;
    std::uint64_t total = 0;
    Index next_of_site = kNone;
    Index next_incoming = kNone;
    Index next_of_methods = kNone;  // the same method called by the same, from another site
    Index first_pair = kNone;       // CallPair: the call in its contexts
    std::uint32_t refs = 0;         // how many of these there are
    std::uint32_t last_seen = 0;
  };
  struct CallPair {
    Index before = kNone;  // Callee; kNone below a root, and of sub-paths, which have a context for each pair anyway
    Index after = kNone;   // Callee
    std::uint64_t total = 0;
    Index first_ref = kNone;  // CalleeRef of `after`
    std::uint32_t refs = 0;
    Index next_of_after = kNone;
  };
  struct CallTriple {
    Index before = kNone;  // CallPair
    Index after = kNone;   // CallPair, whose `before` is the `after` of the other
    std::uint64_t total = 0;
  };
  struct CallSiteRef {
    Index context = kNone;  // CalleeRef
    Index site = kNone;
    Index first_callee = kNone;  // CalleeRef
    Index next_of_context = kNone;
    Index next_of_site = kNone;
  };
  struct CalleeRef {
    std::uint64_t count = 0;
    Method method = kNone;
    Index parent = kNone;    // CalleeRef; kNone for a root
    Index callee = kNone;    // the call it is; kNone for a root
    Index site_ref = kNone;  // kNone for a root
    Index first_site_ref = kNone;
    Index next_of_site_ref = kNone;
    Index pair = kNone;   // kNone for a root
    Index above = kNone;  // the parent's pair, which is asked for most when a path is looked up
    Index next_of_pair = kNone;
    Index triple = kNone;         // of `above` and `pair`; kNone where there are no two
    std::uint32_t last_seen = 0;  // epoch
  };

  ContextMap() : ContextMap(Options{}) {}
  explicit ContextMap(const Options& options);

  // --- feeding

  // kSubPaths: the frames that a sample newly found, the outermost first. If the walk ended at a frame that an earlier
  // sample saw, that one comes first, and `outermost_is_old`: its call is new, its activation is not counted again.
  void add_sample(std::span<const Frame> frames, bool outermost_is_old = false, std::uint64_t count = 1);

  // kTree: a context below `parent` (kNone for the first frame of a thread) and what to add to its count. Returns the
  // context, or kNone if it is not kept, which may be passed on as the parent of others, with `caller` their caller.
  Index add_context(Index parent, Method caller, const Frame& frame, std::uint64_t count);

  // Adds to the total of a call, of no context in particular.
  void add_call(Method caller, std::uint32_t bci, Method callee, std::uint64_t count);

  // --- restoring a map that was taken down: totals, which feeding adds up by itself, and contexts, each by itself

  void restore_method(Method number, std::uint64_t total) { method(number).total = total; }
  // kNone if it is there already or there is no room. Calls are restored by add_call.
  Index restore_root(Method number, std::uint64_t count);
  Index restore_context(Index parent, Index callee, std::uint64_t count);

  // --- what is hot

  // Puts contexts into the order of their counts, hottest first, in the list of each pair, and pairs by their hottest.
  // So it is until something is added.
  void sort_by_heat();
  bool is_sorted_by_heat() const { return sorted_; }

  // --- what has gone cold

  // Time passes by epochs: a call is as warm as the last epoch in which it was counted.
  void next_epoch() { ++epoch_; }
  // Removes the contexts that were not counted in the last `epochs` epochs, and with no warm ones below; the calls
  // of which nothing warm is left; their sites. Totals of methods stay. Indices change. Returns how many contexts went.
  std::size_t remove_cold(std::uint32_t epochs);

  struct Losses {
    std::uint64_t contexts = 0;          // counts that no context has, for lack of room
    std::uint64_t calls = 0;             // counts that no call has, for lack of room
    std::uint64_t removed_contexts = 0;  // contexts that were cold
    std::uint64_t removed_calls = 0;     // calls that were cold
  };
  const Losses& losses() const { return losses_; }
  void restore_losses(const Losses& losses) { losses_ = losses; }

  // --- looking

  const Options& options() const { return options_; }
  std::span<const MethodProfile> methods() const { return methods_; }
  std::span<const CallSite> sites() const { return sites_; }
  std::span<const Callee> callees() const { return callees_; }
  std::span<const CallPair> pairs() const { return pairs_; }
  std::span<const CallTriple> triples() const { return triples_; }
  std::span<const CallSiteRef> site_refs() const { return site_refs_; }
  std::span<const CalleeRef> refs() const { return refs_; }

  // kNone if there is none.
  Index find_site(Method caller, std::uint32_t bci) const;
  Index find_callee(Index site, Method callee) const;
  // The first Callee, by whatever site; next_of_methods leads to the others.
  Index find_call(Method caller, Method callee) const;
  Index find_pair(Index before, Index after) const;
  Index find_triple(Index before, Index after) const;
  Index find_root(Method method) const { return method < methods_.size() ? methods_[method].root : kNone; }
  Index find_ref(Index parent, Index callee) const;
  Index find_site_ref(Index context, Index site) const;

  // All nodes and their indices.
  std::size_t bytes() const;

 private:
  MethodProfile& method(Method number);
  Index site_of(Method caller, std::uint32_t bci);
  // kNone if there is no room.
  Index callee_of(Method caller, std::uint32_t bci, Method callee);
  Index pair_of(Index before, Index after);
  Index triple_of(Index before, Index after);
  Index root_of(Method method);
  Index site_ref_of(Index context, Index site);
  // kNone if there is no room.
  Index ref_of(Index parent, Index callee);
  bool is_room_for(std::size_t refs) const { return refs_.size() + refs <= options_.max_contexts; }
  // The path that begins at `start` and goes through `calls`.
  void count_path(Method start, bool start_is_old, std::span<const Index> calls, std::uint64_t count);
  void count_call(Index callee, std::uint64_t count);
  void count_ref(Index ref, std::uint64_t count);
  // Removes the colder half of the contexts. Callees keep their indices.
  void make_room();
  // For each context when it, or the last one below it, was last seen; and its count, if that decides.
  std::vector<std::uint64_t> warmth() const;
  // A context that is kept has a parent that is. A callee without one is kept if it was seen since `callees_since`.
  void keep_only(const std::vector<bool>& kept, std::uint32_t callees_since);

  Options options_;
  std::uint32_t epoch_ = 0;
  bool sorted_ = false;
  Losses losses_;
  std::vector<MethodProfile> methods_;
  std::vector<CallSite> sites_;
  std::vector<Callee> callees_;
  std::vector<CallPair> pairs_;
  std::vector<CallTriple> triples_;
  std::vector<CallSiteRef> site_refs_;
  std::vector<CalleeRef> refs_;
  HashIndex site_index_;      // (caller, bci) → site + 1
  HashIndex callee_index_;    // (site, method) → callee + 1
  HashIndex call_index_;      // (caller, callee's method) → the first callee + 1
  HashIndex pair_index_;      // (before, after) → pair + 1
  HashIndex triple_index_;    // (before, after) → triple + 1
  HashIndex site_ref_index_;  // (context, site) → site_ref + 1
  HashIndex ref_index_;       // (parent, callee) → ref + 1
};

}  // namespace bursar::core
