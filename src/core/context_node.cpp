#include "core/context_node.h"

#include <new>

namespace bursar::core {

Node& lay_out_node(void* memory, MethodId method, std::uint32_t sites, NodeAddress nobody) {
  Node& node = *new (memory) Node{};
  node.method = method;
  node.marks.store(Node::marks_of(kAnySite, 0), std::memory_order_relaxed);
  node.entry.store(nobody, std::memory_order_relaxed);
  for (std::uint32_t k = 1; k <= sites; ++k) {
    Slot& slot = *new (reinterpret_cast<void*>(slot_address(address_of(node), k))) Slot{};
    slot.child.store(nobody, std::memory_order_relaxed);
  }
  return node;
}

}  // namespace bursar::core
