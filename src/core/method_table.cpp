#include "core/method_table.h"

#include <new>
#include <utility>

namespace bursar::core {

MethodTable::~MethodTable() {
  for (std::atomic<Chunk*>& chunk : chunks_) delete chunk.load(std::memory_order_relaxed);
}

MethodId MethodTable::add(Method method) {
  const std::lock_guard<std::mutex> hold(lock_);
  const MethodId id = size_.load(std::memory_order_relaxed);
  const std::uint32_t index = id >> kChunkLog2;
  if (index >= kMaxChunks) return kNoMethod;
  Chunk* chunk = chunks_[index].load(std::memory_order_relaxed);
  if (chunk == nullptr) {
    chunk = new (std::nothrow) Chunk();
    if (chunk == nullptr) return kNoMethod;
    chunks_[index].store(chunk, std::memory_order_release);
  }
  (*chunk)[id & kChunkMask] = std::move(method);
  size_.store(id + 1, std::memory_order_release);
  return id;
}

const Method& MethodTable::operator[](MethodId id) const {
  return (*chunks_[id >> kChunkLog2].load(std::memory_order_acquire))[id & kChunkMask];
}

}  // namespace bursar::core
