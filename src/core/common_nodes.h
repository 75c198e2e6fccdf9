// CommonNodes: the three nodes that belong to all trees. Read context_tree.h first.
//
// Their slots name nobody, their method matches none, and leaving mute or overflow leads to mute or overflow. They lie
// in memory of their own, which is never given back: probes may stand there at any time.
#pragma once

#include "core/context_node.h"

namespace bursar::core {

struct CommonNodes {
  NodeAddress nobody = 0, mute = 0, overflow = 0;
  // Null addresses if there is no memory for them.
  // Runs in: any
  static const CommonNodes& instance();
  bool is_mute(SlotAddress slot) const { return is_slot_of(mute, slot); }
  bool is_overflow(SlotAddress slot) const { return is_slot_of(overflow, slot); }

 private:
  static bool is_slot_of(NodeAddress node, SlotAddress slot) {
    return node != 0 && slot - node < node_bytes(kMaxSites) - kAddressInNode;
  }
  static CommonNodes make();
};

}  // namespace bursar::core
