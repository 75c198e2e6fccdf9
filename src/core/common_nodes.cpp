#include "core/common_nodes.h"

#include "core/node_arena.h"

namespace bursar::core {

static_assert(NodeArena::kFirstByte + 2 * sizeof(Node) + 2 * (sizeof(Node) + std::size_t{kMaxSites} * kSlotSize) <=
              NodeArena::kChunkSize);

CommonNodes CommonNodes::make() {
  // Chunks in which no node is marked: locate() finds none there.
  std::byte* chunk = NodeArena::map_chunk();
  std::byte* second_chunk = NodeArena::map_chunk(NodeArena::Where::kLow);
  if (chunk == nullptr || second_chunk == nullptr) return {};
  std::byte* next = chunk + NodeArena::kFirstByte;
  const auto lay_out = [&](std::uint32_t sites, NodeAddress nobody) {
    Node& node = lay_out_node(next, kNoMethod, sites, nobody);
    node.resume = address_of(node);
    next += node_bytes(sites);
    return address_of(node);
  };
  CommonNodes nodes;
  nodes.nobody = lay_out(0, 0);
  node_at(nodes.nobody).entry.store(nodes.nobody, std::memory_order_relaxed);
  nodes.stranger = lay_out(0, nodes.nobody);
  nodes.mute = lay_out(kMaxSites, nodes.nobody);
  nodes.overflow = lay_out(kMaxSites, nodes.stranger);
  next = second_chunk + NodeArena::kFirstByte;
  nodes.asleep = lay_out(kMaxSites, nodes.nobody);
  return nodes;
}

const CommonNodes& CommonNodes::instance() {
  static const CommonNodes kNodes = make();
  return kNodes;
}

}  // namespace bursar::core
