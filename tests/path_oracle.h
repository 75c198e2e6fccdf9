// All paths of a method by brute force: every way from every start to every end, one after the other.
//
// Knows nothing of numbers: what it finds must be exactly what the numbering numbers. Header-only: the unit tests and
// the sweep over real classes use it.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "classfile/path_numbering.h"

namespace bursar::classfile {

struct OraclePath {
  PathStart start;
  BlockPath path;
  std::uint32_t number;  // the sum of the values along it
};

// Calls `visit` for every path; stops when that returns false.
inline void for_each_path(const PathGraph& graph, const PathNumbering& numbering,
                          const std::function<bool(const OraclePath&)>& visit) {
  bool go_on = true;
  const auto extend = [&](auto&& self, OraclePath& path) -> void {
    const std::uint32_t block = path.path.blocks.back();
    const bool began_here = path.path.blocks.size() == 1 && path.start == PathStart::kCut;
    const std::vector<std::uint32_t>& successors = graph.blocks[block].successors;
    if (successors.empty() || (numbering.is_cut(block) && !began_here)) {
      go_on = go_on && visit(path);
      return;
    }
    for (std::uint32_t outcome = 0; outcome < successors.size() && go_on; ++outcome) {
      path.path.blocks.push_back(successors[outcome]);
      path.path.outcomes.push_back(outcome);
      path.number += numbering.value(block, outcome);
      self(self, path);
      path.number -= numbering.value(block, outcome);
      path.path.blocks.pop_back();
      path.path.outcomes.pop_back();
    }
  };
  const auto begin = [&](PathStart kind, std::uint32_t block) {
    OraclePath path{kind, {.blocks = {block}, .outcomes = {}}, numbering.start_value(kind, block)};
    extend(extend, path);
  };
  begin(PathStart::kEntry, 0);
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (!graph.blocks[b].reachable) continue;
    if (numbering.is_cut(b)) begin(PathStart::kCut, b);
    if (graph.blocks[b].is_handler) begin(PathStart::kHandler, b);
  }
}

// Empty, or what is wrong: a number that two paths or none have, or one that leads back to another path.
inline const char* numbering_fault(const PathGraph& graph, const PathNumbering& numbering) {
  std::vector<bool> seen(numbering.paths(), false);
  std::uint32_t found = 0;
  const char* fault = "";
  for_each_path(graph, numbering, [&](const OraclePath& path) {
    if (path.number >= numbering.paths()) {
      fault = "a number beyond the last";
    } else if (seen[path.number]) {
      fault = "two paths with one number";
    } else if (numbering.path(path.number) != path.path) {
      fault = "a number that leads to another path";
    } else {
      seen[path.number] = true;
      ++found;
      return true;
    }
    return false;
  });
  if (*fault == 0 && found != numbering.paths()) return "a number without a path";
  return fault;
}

// The same for what has run when a path has come as far as each of its blocks.
inline const char* partial_fault(const PathGraph& graph, const PathNumbering& numbering) {
  const char* fault = "";
  for_each_path(graph, numbering, [&](const OraclePath& path) {
    BlockPath part{.blocks = {path.path.blocks.front()}, .outcomes = {}};
    std::uint32_t number = numbering.start_value(path.start, part.blocks.front());
    for (std::size_t i = 0;; ++i) {
      // Back at the block where it began, the path has ended, and control is where the next one begins.
      const bool round_again = i > 0 && part.blocks.back() == part.blocks.front();
      if (!round_again && numbering.partial_path(number, part.blocks.back()) != part) {
        fault = "a partial number that leads elsewhere";
        return false;
      }
      if (i == path.path.outcomes.size()) return true;
      number += numbering.value(part.blocks.back(), path.path.outcomes[i]);
      part.blocks.push_back(path.path.blocks[i + 1]);
      part.outcomes.push_back(path.path.outcomes[i]);
    }
  });
  return fault;
}

}  // namespace bursar::classfile
