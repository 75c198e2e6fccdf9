// PathRewriter: a class on its way into the VM, with the path modes' probes in every method that decides anything.
//
// Also adds to Object and Thread what the probes need (added_members.h), and keeps reflection from showing it
// (interceptions.h). A class that is loaded again, the same bytes by another loader, has its numbers again.
// Runs in: any
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "agent/added_members.h"
#include "agent/class_paths.h"
#include "agent/filter.h"
#include "agent/path_registry.h"
#include "base/byte_reader.h"
#include "classfile/rewriter.h"

namespace bursar::agent {

using PathWeights = std::unordered_map<std::uint32_t, classfile::EdgeWeights>;

class PathRewriter {
 public:
  // `probe`: of Object, called where a path ends.
  PathRewriter(PathRegistry& registry, const Filter& filter, const AddedMember& probe)
      : registry_(registry), filter_(filter), probe_(probe) {}

  // How edges are numbered that nothing is known of: that which falls through is taken to be the hottest, or, as the
  // paper's control, the coldest.
  void set_order(classfile::EdgeOrder order) { order_ = order; }
  // When a class comes again, the method with this first number gets new ones, by these weights.
  void renumber(std::uint32_t first, classfile::EdgeWeights weights);

  // Empty if the class is to stay as it is.
  std::vector<std::uint8_t> rewrite(base::Bytes class_file);

  struct Totals {
    classfile::RewriteCounts counts;
    PathRefusals refused{};
    std::uint64_t classes = 0;
    std::uint64_t refused_classes = 0;
    std::uint64_t renumbered = 0;  // methods
    std::uint64_t cpu_ns = 0;
  };
  Totals totals() const;

 private:
  PathRegistry& registry_;
  const Filter& filter_;
  const AddedMember probe_;
  classfile::EdgeOrder order_ = classfile::EdgeOrder::kHottestFirst;
  mutable std::mutex lock_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> firsts_;  // by hash of the class, then by method
  PathWeights wanted_;  // by first number: what it is to be numbered by
  PathWeights used_;    // by first number: what it was numbered by
  Totals totals_;
};

}  // namespace bursar::agent
