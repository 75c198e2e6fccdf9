#include "core/count_table.h"

namespace bursar::core {
namespace {

std::uint64_t hash_of_key(const CountTable::Key& key) {
  return hash_of(key[0], std::uint64_t{key[1]} << 32 | key[2]);
}

}  // namespace

std::uint32_t CountTable::find(const Key& key) const {
  const std::uint64_t found =
      index_.find(hash_of_key(key), [&](std::uint64_t number) { return keys_[number - 1] == key; });
  return found == 0 ? kNoRow : static_cast<std::uint32_t>(found - 1);
}

std::uint32_t CountTable::find_or_add(const Key& key) {
  if (const std::uint32_t row = find(key); row != kNoRow) return row;
  if (keys_.size() + 1 >= kNoRow || !index_.reserve(1)) return kNoRow;
  keys_.push_back(key);
  counts_.push_back(0);
  index_.insert(hash_of_key(key), keys_.size());
  return static_cast<std::uint32_t>(keys_.size() - 1);
}

}  // namespace bursar::core
