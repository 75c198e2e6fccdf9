#include "core/hash_index.h"

#include <algorithm>

namespace bursar::core {
namespace {

constexpr std::size_t kFirstCapacity = 16;

}  // namespace

HashIndex& HashIndex::operator=(HashIndex&& other) noexcept {
  entries_ = std::move(other.entries_);
  capacity_ = std::exchange(other.capacity_, 0);
  size_ = std::exchange(other.size_, 0);
  return *this;
}

void HashIndex::put(Entry entry) {
  std::size_t i = entry.hash & (capacity_ - 1);
  while (entries_[i].number != 0) i = (i + 1) & (capacity_ - 1);
  entries_[i] = entry;
}

bool HashIndex::grow(std::size_t capacity) {
  std::unique_ptr<Entry[], Free> old(static_cast<Entry*>(std::calloc(capacity, sizeof(Entry))));
  if (old == nullptr) return false;
  std::swap(old, entries_);
  const std::size_t old_capacity = std::exchange(capacity_, capacity);
  for (std::size_t i = 0; i < old_capacity; ++i) {
    if (old[i].number != 0) put(old[i]);
  }
  return true;
}

bool HashIndex::reserve(std::size_t more) {
  // At most two thirds full, or the searches get long.
  std::size_t capacity = std::max(capacity_, kFirstCapacity);
  while (3 * (size_ + more) > 2 * capacity) capacity *= 2;
  return capacity == capacity_ || grow(capacity);
}

void HashIndex::insert(std::uint64_t hash, std::uint64_t number) {
  put({hash, number});
  ++size_;
}

}  // namespace bursar::core
