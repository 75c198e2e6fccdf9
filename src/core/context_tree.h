// ContextTree: the live calling-context tree of one thread, laid out so that probes in Java code can walk it.
//
// A node is known by its address. Every call site of its method has a slot, numbered from 1, which caches one child
// that is entered through it, and counts how often. Calls that no call site made (the VM's own: class initialisers,
// class loading, callbacks) come through the entry, slot 0, which caches nothing. Byte offsets from the node's address,
// all little-endian:
//
//       -24  u64  links    what the slots do not count: children that they do not cache (Link*)
//       -16  u64  resume   what the thread's cursor becomes when this node is left: its parent, or a slot of it
//        -8  u32  method   MethodId
//        -4  u16  flags
//        -2  u16  site     the parent's slot this node belongs to; kAnySite unless the tree keeps call sites or the VM
//                          made the call on the way to what the slot's call site calls
//         0  u64  entry    the nobody node (or the stranger), whose method matches none
//  16 k - 8  u64  child    address of a node; never 0: an empty slot names what the entry does
//  16 k      u64  count    entries through this slot into that child; without one, calls of the site's only callee
//
// The probes (BursarProbe.java) do the common cases themselves: the slot's child has the right method, or that of one
// of the first links has: count it, go on. Everything else comes here. A node's number of calls is the sum of what its
// parent's slots and links say. A call site that calls many methods keeps the one it has been calling most of late in
// its slot; the others are counted in links.
//
// Threads: one writer, the thread that owns the tree. A shared tree (virtual threads) has many: its slots always name
// a stranger, so that every entry comes here and is done under the caller's lock. Readers may look at any time: lists
// only grow at their heads, counts are single aligned words, nothing is freed before the tree, and while somebody looks
// the owner moves no count from a slot to a link (it need not, so it never waits).
//
// Children are in slots and links, nowhere else; only where there are many is there an index of them.
//
// Five nodes belong to all trees (common_nodes.h); the last three have as many slots as any method can:
//   nobody     the child of an empty slot
//   stranger   the same where probes must not count by themselves
//   mute       calls that are not to be seen (see exact_probes.h) stay there, with everything they call
//   overflow   so do calls beyond the limit of contexts, which are counted as a whole
//   asleep     methods that were entered before anything was counted, and threads without a tree; what they call is
//              entered from the root
// Owner: the session, one tree per thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/common_nodes.h"
#include "core/context_node.h"
#include "core/hash_index.h"
#include "core/method_table.h"
#include "core/node_arena.h"

namespace bursar::core {

// How many contexts all trees together may have.
class ContextBudget {
 public:
  explicit ContextBudget(std::uint64_t limit) : left_(static_cast<std::int64_t>(limit)) {}
  bool take() {
    if (left_.fetch_sub(1, std::memory_order_relaxed) > 0) return true;
    left_.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  void give_back(std::uint64_t contexts) {
    left_.fetch_add(static_cast<std::int64_t>(contexts), std::memory_order_relaxed);
  }

 private:
  std::atomic<std::int64_t> left_;
};

// What stands between a slot and a method that was entered through it.
struct Route {
  // A method without a probe that the call site calls and that called back: the node goes under it.
  MethodId through = kNoMethod;
  // The VM made this call on the way to what the call site calls (resolving it, initialising its class): the cursor
  // goes back to the slot afterwards.
  bool via_vm = false;
  // Of `through`: the cursor stood at the node.
  bool from_node = false;
};

class ContextTree {
 public:
  struct Options {
    bool call_sites = false;  // children are told apart by call site
    bool shared = false;      // slots stay empty
    std::uint64_t word = 0;   // stands where probes find it by any node (node_arena.h)
  };
  // `root` is a pseudo method; its node is not a context.
  ContextTree(const MethodTable& methods, ContextBudget& budget, MethodId root, Options options);
  ~ContextTree();
  ContextTree(const ContextTree&) = delete;
  ContextTree& operator=(const ContextTree&) = delete;

  // 0 if there was no memory for it.
  NodeAddress root() const { return root_; }

  struct Place {
    NodeAddress node = 0;  // 0: the slot is not one of a tree's (mute and overflow are not either)
    std::uint32_t slot = 0;
  };
  // Which node and slot an address belongs to. The address must be 0 or one that a tree (any tree) handed out.
  // Runs in: app thread, the owner of that tree
  static Place locate(SlotAddress slot);
  // The tree that the address belongs to.
  static ContextTree* owner_of(SlotAddress slot) { return static_cast<ContextTree*>(NodeArena::owner_of(slot)); }
  // Of a node of this tree; the root is its own.
  // Runs in: any, also while the owner goes on
  NodeAddress parent_of(NodeAddress node) const;

  // A method with a probe was entered through this place: counts it and returns its node, which may be overflow (then
  // that is what is counted).
  // Runs in: app thread, the owner
  NodeAddress enter(Place place, MethodId method, Route route = {});
  // The child that this method is when it is entered through this place; counts nothing. 0 if there is no room.
  NodeAddress reach_child(Place place, MethodId method) { return reach(place, plain_key(place.slot, method)); }
  // The same for a method that its call site counts: also sets kCountedAtSite.
  NodeAddress enter_at_site(Place place, MethodId method);

  // Keeps its nodes, for another thread that may do the same.
  // Runs in: any, when the owner is gone
  void forget_counts();

  // For who owns it.
  std::uint64_t burst_began_ns = 0;
  std::atomic<std::uint8_t> burst_pace = 0;

  bool shared() const { return options_.shared; }
  std::uint64_t overflow_calls() const { return overflow_calls_.load(std::memory_order_relaxed); }
  void count_overflow() { overflow_calls_.fetch_add(1, std::memory_order_relaxed); }
  // How often a probe could not go on by itself.
  std::uint64_t lookups() const { return lookups_.load(std::memory_order_relaxed); }
  std::uint64_t contexts() const { return contexts_.load(std::memory_order_relaxed); }
  std::uint64_t bytes() const { return bytes_.load(std::memory_order_relaxed); }

  // One entry for every (child, slot) that was ever entered, and with the count 0 for one that was not but has
  // children; parents before children; the root is not visited, but is the parent of the first ones. `visit(tag of the
  // parent, parent, slot, child, count)` returns the tag of the child, the same for all its entries; the child is 0 if
  // the slot counts it without a node (CallSite::callee). Runs in: any, also while the owner goes on
  template <class Tag, class Visit>
  void walk(Tag root_tag, Visit&& visit) const;
  // The same without tags: `visit(parent, slot, child, count)`.
  template <class Visit>
  void for_each_entry(Visit&& visit) const;

 private:
  // What tells a child from its siblings.
  struct Key {
    MethodId method;
    std::uint32_t site;
    std::uint32_t route;  // of the flags kViaVm and kCalledBack

    std::uint64_t hash(std::uint64_t place) const;
    bool names(const Node& node) const;
  };
  // Keeps the owner from moving counts, and waits until it is not moving any.
  class Look {
   public:
    explicit Look(std::atomic<std::int32_t>& lookers);
    ~Look();
    Look(const Look&) = delete;
    Look& operator=(const Look&) = delete;

   private:
    std::atomic<std::int32_t>& lookers_;
  };

  std::uint32_t sites_of(MethodId method) const;
  template <class Visit>
  bool each_child(NodeAddress parent, Visit&& visit) const;
  Key plain_key(std::uint32_t slot, MethodId method) const;
  // These return 0 where there is no room, and count nothing.
  NodeAddress count_in_slot(Place place, MethodId method);
  NodeAddress count_in_link(Place place, Key key, SlotAddress resume);
  // The child, reachable through this place; counts nothing.
  NodeAddress reach(Place place, Key key);
  // These do not make it reachable.
  NodeAddress child_of(NodeAddress parent, Key key, SlotAddress resume);
  NodeAddress add_child(NodeAddress parent, Key key, SlotAddress resume);
  bool index_children(NodeAddress parent);
  Link* link_to(SlotAddress place, Key key, NodeAddress parent, SlotAddress resume);
  Link* add_link(SlotAddress place, Key key, NodeAddress parent, NodeAddress child);
  void prefer(Link& link, Slot& slot, Place place);

  NodeAddress or_overflow(NodeAddress node);
  void note_size();

  const MethodTable& methods_;
  ContextBudget& budget_;
  const Options options_;
  const CommonNodes& common_;
  const NodeAddress empty_;  // what an empty slot names
  NodeArena arena_;
  HashIndex links_;     // all links
  HashIndex children_;  // of nodes with kManyChildren
  NodeAddress root_ = 0;
  std::atomic<std::uint64_t> contexts_ = 0;
  std::atomic<std::uint64_t> bytes_ = 0;
  std::atomic<std::uint64_t> lookups_ = 0;
  std::atomic<std::uint64_t> overflow_calls_ = 0;
  mutable std::atomic<std::int32_t> lookers_ = 0;  // -1: the owner is moving a count
};

// Visits (slot, child, count) of slots that are not empty and of links, until one says true; whether one did. The child
// is 0 where a slot counts without one.
template <class Visit>
bool ContextTree::each_child(NodeAddress parent, Visit&& visit) const {
  const Node& node = node_at(parent);
  const std::uint32_t sites = sites_of(node.method);
  for (std::uint32_t k = 1; k <= sites; ++k) {
    const Slot& slot = slot_at(slot_address(parent, k));
    const NodeAddress child = slot.child.load(std::memory_order_acquire);
    const std::uint64_t count = slot.count.load(std::memory_order_relaxed);
    if (child == empty_ && count == 0) continue;
    if (visit(k, child == empty_ ? 0 : child, count)) return true;
  }
  for (const Link* link = node.links.load(std::memory_order_acquire); link != nullptr; link = link->next) {
    const auto k = static_cast<std::uint32_t>((link->place - parent + kFirstSlotOffset) / kSlotSize);
    if (visit(k, link->child, link->count.load(std::memory_order_relaxed))) return true;
  }
  return false;
}

template <class Tag, class Visit>
void ContextTree::walk(Tag root_tag, Visit&& visit) const {
  if (root_ == 0) return;
  const Look look(lookers_);
  std::vector<std::pair<NodeAddress, Tag>> left = {{root_, root_tag}};
  while (!left.empty()) {
    const NodeAddress parent = left.back().first;
    const Tag tag = left.back().second;
    left.pop_back();
    const auto first = static_cast<std::ptrdiff_t>(left.size());
    each_child(parent, [&](std::uint32_t slot, NodeAddress child, std::uint64_t count) {
      const Tag of_child = visit(tag, parent, slot, child, count);
      if (child != 0) left.emplace_back(child, of_child);
      return false;
    });
    const auto by_child = [](const auto& a, const auto& b) { return a.first < b.first; };
    const auto same_child = [](const auto& a, const auto& b) { return a.first == b.first; };
    std::sort(left.begin() + first, left.end(), by_child);
    left.erase(std::unique(left.begin() + first, left.end(), same_child), left.end());
  }
}

template <class Visit>
void ContextTree::for_each_entry(Visit&& visit) const {
  walk(false, [&](bool, NodeAddress parent, std::uint32_t slot, NodeAddress child, std::uint64_t count) {
    visit(parent, slot, child, count);
    return false;
  });
}

}  // namespace bursar::core
