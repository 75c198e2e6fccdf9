#include "core/node_arena.h"

#include <sys/mman.h>

#include <atomic>
#include <bit>

namespace bursar::core {
namespace {

constexpr std::uint64_t kChunkMask = NodeArena::kChunkSize - 1;
constexpr std::size_t kBitsPerWord = 64;
constexpr std::size_t kFirstWord = NodeArena::kFirstByte / kSlotSize / kBitsPerWord;

static_assert(kFirstWord * sizeof(std::uint64_t) >= 2 * sizeof(std::byte*) + sizeof(std::uint64_t),
              "the next chunk's address, the owner's and the owner's word fit the unused bits");
static_assert(NodeArena::kFirstByte + sizeof(Node) + std::size_t{kMaxSites} * kSlotSize <= NodeArena::kChunkSize);
// Slots lie on multiples of kSlotSize, a node's address half-way between two.
constexpr std::uint64_t kAddressInUnit = kAddressInNode % kSlotSize;
static_assert(kAddressInUnit + kFirstSlotOffset == kSlotSize);

std::atomic<std::uint64_t>* bitmap_of(std::uint64_t address) {
  return reinterpret_cast<std::atomic<std::uint64_t>*>(address & ~kChunkMask);
}

std::byte*& next_chunk(std::byte* chunk) {
  return *reinterpret_cast<std::byte**>(chunk);
}

void*& owner_of_chunk(std::byte* chunk) {
  return *reinterpret_cast<void**>(chunk + sizeof(std::byte*));
}

std::uint64_t& word_of_chunk(std::byte* chunk) {
  return *reinterpret_cast<std::uint64_t*>(chunk + 2 * sizeof(std::byte*));
}

}  // namespace

void* NodeArena::owner_of(SlotAddress address) {
  return owner_of_chunk(reinterpret_cast<std::byte*>(address & ~kChunkMask));
}

std::byte* NodeArena::map_chunk(Where where) {
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  // Twice as much, and what is not aligned goes back.
  const auto map = [](int flags) { return mmap(nullptr, 2 * kChunkSize, PROT_READ | PROT_WRITE, flags, -1, 0); };
  void* mapped = MAP_FAILED;
#ifdef MAP_32BIT
  if (where == Where::kLow) mapped = map(kFlags | MAP_32BIT);
#endif
  if (mapped == MAP_FAILED) mapped = map(kFlags);
  if (mapped == MAP_FAILED) return nullptr;
  std::byte* begin = static_cast<std::byte*>(mapped);
  const std::size_t before = (kChunkSize - (reinterpret_cast<std::uint64_t>(mapped) & kChunkMask)) & kChunkMask;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + kChunkSize, kChunkSize - before);
  return begin + before;
}

NodeArena::~NodeArena() {
  while (newest_ != nullptr) {
    std::byte* chunk = newest_;
    newest_ = next_chunk(chunk);
    munmap(chunk, kChunkSize);
  }
}

bool NodeArena::add_chunk() {
  std::byte* chunk = map_chunk();
  if (chunk == nullptr) return false;
  // Most threads need no second one: their first must not become a huge page.
  if (newest_ == nullptr) madvise(chunk, kChunkSize, MADV_NOHUGEPAGE);
  next_chunk(chunk) = newest_;
  owner_of_chunk(chunk) = owner_;
  word_of_chunk(chunk) = word_;
  bytes_ += kFirstByte + left_;
  newest_ = chunk;
  next_ = chunk + kFirstByte;
  left_ = kChunkSize - kFirstByte;
  return true;
}

void* NodeArena::allocate(std::size_t bytes) {
  bytes = (bytes + kSlotSize - 1) / kSlotSize * kSlotSize;
  if (bytes > kChunkSize - kFirstByte || (bytes > left_ && !add_chunk())) return nullptr;
  void* memory = next_;
  next_ += bytes;
  left_ -= bytes;
  bytes_ += bytes;
  return memory;
}

void* NodeArena::allocate_node(std::uint32_t sites) {
  void* memory = allocate(node_bytes(sites));
  if (memory == nullptr) return nullptr;
  const std::uint64_t address = reinterpret_cast<std::uint64_t>(memory) + kAddressInNode;
  const std::uint64_t bit = (address & kChunkMask) / kSlotSize;
  std::atomic<std::uint64_t>& word = bitmap_of(address)[bit / kBitsPerWord];
  word.store(word.load(std::memory_order_relaxed) | std::uint64_t{1} << (bit % kBitsPerWord),
             std::memory_order_relaxed);
  return memory;
}

NodeAddress NodeArena::node_of(SlotAddress address) {
  const std::atomic<std::uint64_t>* bitmap = bitmap_of(address);
  const std::uint64_t bit = (address & kChunkMask) / kSlotSize;
  std::size_t word = bit / kBitsPerWord;
  std::uint64_t starts =
      bitmap[word].load(std::memory_order_relaxed) & (~std::uint64_t{0} >> (kBitsPerWord - 1 - bit % kBitsPerWord));
  while (word > kFirstWord && starts == 0) starts = bitmap[--word].load(std::memory_order_relaxed);
  if (word < kFirstWord || starts == 0) return 0;
  const auto last = static_cast<std::uint64_t>(std::bit_width(starts)) - 1;
  return (address & ~kChunkMask) + (word * kBitsPerWord + last) * kSlotSize + kAddressInUnit;
}

}  // namespace bursar::core
