// NodeArena: the memory of one tree's nodes and links, in which every slot finds its node again.
//
// Chunks of 1 MiB at addresses that are multiples of 1 MiB; memory is touched only as it is given out, so that the tree
// of an idle thread costs two pages. Nothing moves, and nothing is freed before the arena. Layout of a chunk:
//
//        0  bitmap: bit i is set if a node's address is 16 i + 8 bytes into the chunk; 8 KiB. The bits that
//           would stand for the bitmap itself are never set, and their place is used for
//        0  address of the next chunk
//        8  the arena's owner
//       16  a word for probes: where they count paths
//    8,192  nodes and links, one behind the other
// Owner: a tree. One writer; node_of() may be called for what the caller knows to be handed out.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/context_node.h"

namespace bursar::core {

class NodeArena {
 public:
  static constexpr std::size_t kChunkSize = std::size_t{1} << 20;
  static constexpr std::size_t kFirstByte = kChunkSize / kSlotSize / 8;

  explicit NodeArena(void* owner = nullptr, std::uint64_t word = 0) : owner_(owner), word_(word) {}
  ~NodeArena();
  NodeArena(const NodeArena&) = delete;
  NodeArena& operator=(const NodeArena&) = delete;

  // Zeroed memory, aligned to kSlotSize; null if there is none left. `bytes` is at most what a chunk holds.
  void* allocate(std::size_t bytes);
  // The same for a node, which node_of() then finds.
  void* allocate_node(std::uint32_t sites);
  // Given out so far, and lost at the ends of chunks.
  std::size_t bytes() const { return bytes_; }

  // The last node that begins at or before `address`, in the chunk that `address` lies in; 0 if there is none.
  static NodeAddress node_of(SlotAddress address);

  // Whose arena `address` lies in.
  static void* owner_of(SlotAddress address);

  // Low: in the first 2 GiB if there is room, so that code may have its address in an instruction.
  enum class Where : bool { kAnywhere, kLow };
  // Zeroed and aligned; null if the system has no memory.
  static std::byte* map_chunk(Where where = Where::kAnywhere);

 private:
  bool add_chunk();

  void* owner_;
  std::uint64_t word_;
  std::byte* newest_ = nullptr;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace bursar::core
