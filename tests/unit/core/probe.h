// Probe: what the probes in Java code do, load by load and store by store, at the documented offsets.
//
// One thread's cursor, and the steps that instrumented code takes with it.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/context_tree.h"

namespace bursar::core {

// The words of a node as a probe sees them: raw memory.
inline std::uint64_t load64(std::uint64_t address) {
  return std::atomic_ref(*reinterpret_cast<std::uint64_t*>(address)).load(std::memory_order_relaxed);
}
inline std::uint32_t load32(std::uint64_t address) {
  return std::atomic_ref(*reinterpret_cast<std::uint32_t*>(address)).load(std::memory_order_relaxed);
}
inline void store64(std::uint64_t address, std::uint64_t value) {
  std::atomic_ref(*reinterpret_cast<std::uint64_t*>(address)).store(value, std::memory_order_relaxed);
}

inline void store32(std::uint64_t address, std::uint32_t value) {
  std::atomic_ref(*reinterpret_cast<std::uint32_t*>(address)).store(value, std::memory_order_relaxed);
}

// BursarProbe.findLinked.
inline NodeAddress find_linked(SlotAddress slot, MethodId method) {
  const NodeAddress parent = load64(load64(slot) - 16);
  std::uint64_t link = load64(parent - 24);
  for (int i = 0; i < 8 && link != 0; ++i, link = load64(link + 16)) {
    if (load64(link + 8) != slot) continue;
    const NodeAddress child = load64(link);
    if (load32(child - 8) != method || (load32(child - 4) & 6) != 0) continue;
    const std::uint32_t misses = load32(link + 40) + 1;
    if (misses >= 8) return 0;
    store32(link + 40, misses);
    store64(link + 24, load64(link + 24) + 1);
    return child;
  }
  return 0;
}

class Probe {
 public:
  // The locals that a probe keeps in its method's frame.
  struct Frame {
    NodeAddress node = 0;
    SlotAddress resume = 0;
  };

  explicit Probe(ContextTree& tree) : tree_(tree), cursor_(tree.root()) {}

  SlotAddress cursor() const { return cursor_; }
  std::uint64_t slow_entries() const { return slow_entries_; }

  // The entry of a method.
  Frame enter(MethodId method) {
    const NodeAddress child = load64(cursor_);
    if (load32(child - 8) == method) {
      store64(cursor_ + 8, load64(cursor_ + 8) + 1);
      return stand_at(child);
    }
    if (const NodeAddress linked = find_linked(cursor_, method)) return stand_at(linked);
    return enter_slowly(method, {});
  }
  Frame enter_slowly(MethodId method, Route route) {
    ++slow_entries_;
    if (const NodeAddress common = common_node()) return stand_at(common);
    return stand_at(tree_.enter(ContextTree::locate(cursor_), method, route));
  }
  // The VM calls within what this slot counts; the cursor stands at the node.
  Frame enter_from_node(const Frame& frame, std::uint32_t slot, MethodId method, MethodId through) {
    return stand_at(tree_.enter({frame.node, slot}, method, {.through = through, .from_node = true}));
  }
  // What a call site does behind a call that nobody with a probe answered.
  Frame enter_at_site(MethodId method) {
    if (const NodeAddress common = common_node()) return stand_at(common);
    return stand_at(tree_.enter_at_site(ContextTree::locate(cursor_), method));
  }
  // Before an invoke instruction; slot 0: the VM is about to call.
  void call(const Frame& frame, std::uint32_t slot) {
    cursor_ = slot == 0 ? frame.node : frame.node - 8 + 16 * std::uint64_t{slot};
  }
  // At the begin of an exception handler.
  void handle(const Frame& frame) { cursor_ = frame.node; }
  void leave(const Frame& frame) { cursor_ = frame.resume; }

 private:
  Frame stand_at(NodeAddress node) {
    cursor_ = node;
    return {node, load64(node - 16)};
  }
  NodeAddress common_node() {
    const CommonNodes& common = CommonNodes::instance();
    if (common.is_mute(cursor_)) return common.mute;
    if (!common.is_overflow(cursor_)) return 0;
    tree_.count_overflow();
    return common.overflow;
  }

  ContextTree& tree_;
  SlotAddress cursor_;
  std::uint64_t slow_entries_ = 0;
};

}  // namespace bursar::core
