// HashIndex: from hashes to numbers that are not 0, by open addressing. Entries are never removed.
//
// What a number stands for, only the caller knows: find() asks it. One writer, which is also the only reader. When
// memory is out, reserve() says so instead of failing the host.
// Owner: who looks things up.
// Runs in: any thread that may allocate
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

namespace bursar::core {

// A hash of two words that spreads over all bits. With equal `b`, different `a` have different hashes.
constexpr std::uint64_t hash_of(std::uint64_t a, std::uint64_t b) {
  std::uint64_t hash = (a ^ (b * 0x9e3779b97f4a7c15U)) * 0xff51afd7ed558ccdU;
  hash = (hash ^ (hash >> 32) ^ b) * 0xc4ceb9fe1a85ec53U;
  return hash ^ (hash >> 29);
}

class HashIndex {
 public:
  HashIndex() = default;
  // What is left is empty.
  HashIndex(HashIndex&& other) noexcept { *this = std::move(other); }
  HashIndex& operator=(HashIndex&& other) noexcept;

  // The number with that hash for which `is_it(number)`; 0 if there is none.
  template <class IsIt>
  std::uint64_t find(std::uint64_t hash, IsIt&& is_it) const {
    if (capacity_ == 0) return 0;
    for (std::size_t i = hash & (capacity_ - 1);; i = (i + 1) & (capacity_ - 1)) {
      const Entry& entry = entries_[i];
      if (entry.number == 0) return 0;
      if (entry.hash == hash && is_it(entry.number)) return entry.number;
    }
  }
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t i = 0; i < capacity_; ++i) {
      if (entries_[i].number != 0) visit(entries_[i].number);
    }
  }
  // Makes room for that many more. False if there is no memory.
  [[nodiscard]] bool reserve(std::size_t more);
  // There is room for it, and `number` is not 0.
  void insert(std::uint64_t hash, std::uint64_t number);

  std::size_t size() const { return size_; }
  std::size_t bytes() const { return capacity_ * sizeof(Entry); }

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint64_t number;
  };
  struct Free {
    void operator()(Entry* entries) const { std::free(entries); }
  };

  bool grow(std::size_t capacity);
  void put(Entry entry);

  std::unique_ptr<Entry[], Free> entries_;
  std::size_t capacity_ = 0;  // a power of two, or 0
  std::size_t size_ = 0;
};

}  // namespace bursar::core
