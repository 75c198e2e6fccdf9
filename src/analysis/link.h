// Link: a call from somewhere, through a site, to a method. With a method as `from` it is an edge of the call graph;
// with a node of a tree, it is a context.
#pragma once

#include <cstddef>
#include <cstdint>

namespace bursar::analysis {

struct Link {
  std::uint32_t from;
  std::uint32_t site;
  std::uint32_t to;

  bool operator==(const Link&) const = default;
};

struct LinkHash {
  // Tells boost that all bits are well mixed already.
  using is_avalanching = void;

  std::size_t operator()(const Link& link) const noexcept {
    std::uint64_t mixed = (std::uint64_t{link.from} << 32 | link.to) * 0x9E3779B97F4A7C15u;
    mixed = ((mixed ^ mixed >> 32) + link.site) * 0xD6E8FEB86659FD93u;
    return mixed ^ mixed >> 32;
  }
};

}  // namespace bursar::analysis
