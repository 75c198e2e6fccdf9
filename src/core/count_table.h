// CountTable: counts by a key of three numbers, in rows that keep their place.
//
// Memory is that of the different keys.
// Owner: the gathering.
// Runs in: any thread that may allocate
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/hash_index.h"

namespace bursar::core {

class CountTable {
 public:
  using Key = std::array<std::uint32_t, 3>;
  static constexpr std::uint32_t kNoRow = 0xffffffff;

  std::uint32_t find(const Key& key) const;
  // kNoRow if there is no memory for another row.
  std::uint32_t find_or_add(const Key& key);
  void add(std::uint32_t row, std::uint64_t count) { counts_[row] += count; }

  std::size_t size() const { return keys_.size(); }
  const Key& key(std::size_t row) const { return keys_[row]; }
  const std::vector<std::uint64_t>& counts() const { return counts_; }

 private:
  HashIndex index_;  // row + 1
  std::vector<Key> keys_;
  std::vector<std::uint64_t> counts_;
};

}  // namespace bursar::core
