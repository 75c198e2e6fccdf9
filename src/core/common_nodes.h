// CommonNodes: the five nodes that belong to all trees. Read context_tree.h first.
//
// Their slots name nobody (those of overflow: a stranger), their method matches none, and leaving one of the last three
// leads to it. They lie in memory of their own, which is never given back: probes may stand there at any time. A
// stranger stands for nobody where a probe must not count by itself.
#pragma once

#include "core/context_node.h"

namespace bursar::core {

struct CommonNodes {
  NodeAddress nobody = 0, stranger = 0, mute = 0, overflow = 0, asleep = 0;
  // Null addresses if there is no memory for them.
  // Runs in: any
  static const CommonNodes& instance();
  bool is_mute(SlotAddress slot) const { return is_slot_of(mute, slot); }
  bool is_overflow(SlotAddress slot) const { return is_slot_of(overflow, slot); }
  bool is_asleep(SlotAddress slot) const { return is_slot_of(asleep, slot); }
  SlotAddress end_of_asleep() const { return asleep + kBytes; }

 private:
  static constexpr std::size_t kBytes = node_bytes(kMaxSites) - kAddressInNode;

  static bool is_slot_of(NodeAddress node, SlotAddress slot) { return node != 0 && slot - node < kBytes; }
  static CommonNodes make();
};

}  // namespace bursar::core
