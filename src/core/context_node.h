// The bytes of a live calling-context tree: nodes, their slots and links. Read context_tree.h first.
//
// Probes in Java code read and write nodes and slots with plain loads and stores, so every offset is fixed here. All
// words that somebody may read while the owner goes on are atomic; only the owner writes.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/method_table.h"

namespace bursar::core {

// The address of a node (its slot 0), as probes hold it in a long.
using NodeAddress = std::uint64_t;
// The address of a slot of a node.
using SlotAddress = std::uint64_t;

inline constexpr std::int32_t kResumeOffset = -16;
inline constexpr std::int32_t kMethodOffset = -8;
inline constexpr std::int32_t kFlagsOffset = -4;
inline constexpr std::int32_t kSlotSize = 16;
inline constexpr std::int32_t kFirstSlotOffset = 8;
inline constexpr std::int32_t kCountOffset = 8;

// Flags of a node. kCountedAtSite: its method carries no probe (or one that the JIT may have replaced), so that the
// call site counts it.
inline constexpr std::uint32_t kCountedAtSite = 1;
inline constexpr std::uint32_t kViaVm = 2;
// Called back by a method without a probe: `site` and `resume` are a slot of the parent's parent.
inline constexpr std::uint32_t kCalledBack = 4;
// Its children are found through the tree's index.
inline constexpr std::uint32_t kManyChildren = 8;

inline constexpr std::uint32_t kAnySite = 0xffff;
// A method has at most 65,535 bytes of code and an invoke at least 3.
inline constexpr std::uint32_t kMaxSites = 65535 / 3;
static_assert(kMaxSites < kAnySite);

struct Slot {
  std::atomic<NodeAddress> child;
  std::atomic<std::uint64_t> count;
};

// Entries into a child through a slot that caches another child (or may not cache this one).
struct Link {
  NodeAddress child;
  SlotAddress place;
  Link* next;
  std::atomic<std::uint64_t> count;
  // The owner's: how often this child was missed in the slot since the slot's count was `mark`.
  std::uint64_t mark;
  std::uint32_t misses;
};

// A node without its call sites' slots. Its address is that of `entry`.
struct Node {
  std::atomic<Link*> links;
  SlotAddress resume;
  MethodId method;
  std::atomic<std::uint32_t> marks;  // flags below, site above
  std::atomic<NodeAddress> entry;

  bool has(std::uint32_t flag) const { return (flags() & flag) != 0; }
  std::uint32_t flags() const { return marks.load(std::memory_order_relaxed) & 0xffff; }
  std::uint32_t site() const { return marks.load(std::memory_order_relaxed) >> 16; }
  void set(std::uint32_t flag) { marks.fetch_or(flag, std::memory_order_relaxed); }
  static std::uint32_t marks_of(std::uint32_t site, std::uint32_t flags) { return site << 16 | flags; }
};

inline constexpr std::size_t kAddressInNode = offsetof(Node, entry);

static_assert(sizeof(Slot) == kSlotSize && offsetof(Slot, child) == 0 && offsetof(Slot, count) == kCountOffset);
static_assert(sizeof(Node) == 32 && kAddressInNode == 24 && sizeof(Node) == kAddressInNode + kFirstSlotOffset);
static_assert(offsetof(Node, resume) == kAddressInNode - 16 && kResumeOffset == -16);
static_assert(offsetof(Node, method) == kAddressInNode - 8 && kMethodOffset == -8);
static_assert(offsetof(Node, marks) == kAddressInNode - 4 && kFlagsOffset == -4);
static_assert(offsetof(Link, child) == 0 && offsetof(Link, place) == 8 && offsetof(Link, next) == 16);
static_assert(offsetof(Link, count) == 24 && offsetof(Link, misses) == 40);
static_assert((kViaVm | kCalledBack) == 6);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(std::atomic<Link*>::is_always_lock_free && sizeof(std::atomic<Link*>) == 8);

inline Node& node_at(NodeAddress address) {
  return *reinterpret_cast<Node*>(address - kAddressInNode);
}
inline NodeAddress address_of(const Node& node) {
  return reinterpret_cast<NodeAddress>(&node) + kAddressInNode;
}
// Slot 0 is the node's entry.
inline SlotAddress slot_address(NodeAddress node, std::uint32_t slot) {
  return slot == 0 ? node : node + kFirstSlotOffset + std::uint64_t{slot - 1} * kSlotSize;
}
// Of a slot that is not an entry.
inline Slot& slot_at(SlotAddress address) {
  return *reinterpret_cast<Slot*>(address);
}
inline constexpr std::size_t node_bytes(std::uint32_t sites) {
  return sizeof(Node) + std::size_t{sites} * kSlotSize;
}

// Makes a node of zeroed memory of node_bytes(sites), aligned to kSlotSize; its entry and every slot name `nobody`.
Node& lay_out_node(void* memory, MethodId method, std::uint32_t sites, NodeAddress nobody);

}  // namespace bursar::core
