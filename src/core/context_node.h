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

inline constexpr std::int32_t kResumeOffset = -24;
inline constexpr std::int32_t kMethodOffset = -16;
inline constexpr std::int32_t kFlagsOffset = -12;
inline constexpr std::int32_t kSlotSize = 16;
inline constexpr std::int32_t kCountOffset = 8;

// Flags of a node. kCountedAtSite: its method carries no probe (or one that the JIT may have replaced), so that the
// call site counts it.
inline constexpr std::uint32_t kCountedAtSite = 1;
inline constexpr std::uint32_t kViaVm = 2;
// Called back by a method without a probe: `site` and `resume` are a slot of the parent's parent.
inline constexpr std::uint32_t kCalledBack = 4;
// Its children are found through the tree's index.
inline constexpr std::uint32_t kManyChildren = 8;

inline constexpr std::uint32_t kAnySite = 0xffffffff;
// A method has at most 65,535 bytes of code and an invoke at least 3.
inline constexpr std::uint32_t kMaxSlots = 65535 / 3 + 1;

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

// What lies in front of a node's address.
struct Node {
  std::atomic<Link*> links;
  std::atomic<NodeAddress> first_child;
  NodeAddress next_sibling;
  SlotAddress resume;
  MethodId method;
  std::atomic<std::uint32_t> flags;
  std::uint32_t slots;
  std::uint32_t site;
};

inline constexpr std::size_t kHeaderSize = sizeof(Node);

static_assert(sizeof(Slot) == kSlotSize && offsetof(Slot, child) == 0 && offsetof(Slot, count) == kCountOffset);
static_assert(kHeaderSize == 48 && alignof(Node) <= kSlotSize);
static_assert(offsetof(Node, links) == 0 && offsetof(Node, first_child) == 8 && offsetof(Node, next_sibling) == 16);
static_assert(offsetof(Node, resume) == 48 - 24 && kResumeOffset == -24);
static_assert(offsetof(Node, method) == 48 - 16 && kMethodOffset == -16);
static_assert(offsetof(Node, flags) == 48 - 12 && kFlagsOffset == -12);
static_assert(offsetof(Node, slots) == 48 - 8 && offsetof(Node, site) == 48 - 4);
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free);
static_assert(std::atomic<Link*>::is_always_lock_free && sizeof(std::atomic<Link*>) == 8);

inline Node& node_at(NodeAddress address) {
  return *reinterpret_cast<Node*>(address - kHeaderSize);
}
inline NodeAddress address_of(const Node& node) {
  return reinterpret_cast<NodeAddress>(&node) + kHeaderSize;
}
inline SlotAddress slot_address(NodeAddress node, std::uint32_t slot) {
  return node + std::uint64_t{slot} * kSlotSize;
}
inline Slot& slot_at(SlotAddress address) {
  return *reinterpret_cast<Slot*>(address);
}
inline std::size_t node_bytes(std::uint32_t slots) {
  return kHeaderSize + std::size_t{slots} * kSlotSize;
}

// Makes a node of zeroed memory of node_bytes(slots), aligned to kSlotSize; every slot names `nobody`.
Node& lay_out_node(void* memory, MethodId method, std::uint32_t slots, NodeAddress nobody);

}  // namespace bursar::core
