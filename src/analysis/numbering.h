// Numbering: gives each key a number, 0, 1, 2 … in the order in which keys first come.
//
// What two profiles have in common is found by numbering the items of the first, then those of the second.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>

namespace bursar::analysis {

template <class Key, class Hash>
class Numbering {
 public:
  explicit Numbering(std::size_t expected) { numbers_.reserve(expected); }

  std::uint32_t of(const Key& key) {
    return numbers_.try_emplace(key, static_cast<std::uint32_t>(numbers_.size())).first->second;
  }

  std::size_t size() const { return numbers_.size(); }

 private:
  boost::unordered_flat_map<Key, std::uint32_t, Hash> numbers_;
};

}  // namespace bursar::analysis
