// PathRegistry: which method, and which path of it, every number means that a path register can hold.
//
// Every numbering of a method's paths has a range of numbers of its own: a method that is numbered anew gets another
// range, so that a number always means what it meant where it was made. Only grows, up to the capacity of PathCounters.
// Runs in: any
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "classfile/line_numbers.h"
#include "classfile/path_numbering.h"
#include "core/gathering.h"
#include "core/method_table.h"
#include "core/path_counters.h"
#include "profile/profile.h"

namespace bursar::agent {

class PathRegistry {
 public:
  explicit PathRegistry(std::uint32_t capacity = core::PathCounters::kCapacity) : capacity_(capacity) {}

  // The first number; nothing if there is no room.
  std::optional<std::uint32_t> add(core::Method method, classfile::PathNumbering numbering,
                                   const classfile::LineNumbers& lines);

  // Numbers that were given away.
  std::uint32_t size() const;

  // A numbering of a method that costs more than it must.
  struct Misplaced {
    std::uint32_t first;  // of its numbers
    std::string class_name;
    classfile::EdgeWeights edges;
    std::uint64_t gain;  // additions to the register that a numbering by these edges would spare
  };
  // Of what ran so often, by number: those whose gain is at least `least_share` of all decisions, the highest first.
  std::vector<Misplaced> misplaced(const std::vector<std::uint64_t>& counts, double least_share) const;

  // What groups of bursts counted, by number; and of that, by row of the profile's paths and branches.
  struct ByGroups {
    std::vector<core::ByGroup> numbers = {}, paths = {}, branches = {};
  };
  // What ran so often, by number, as a profile: paths, and the branches that follow from them. Not yet frozen.
  profile::ProfileData to_profile(const std::vector<std::uint64_t>& counts, profile::MetricKind kind) const {
    ByGroups none;
    return to_profile(counts, kind, none);
  }
  profile::ProfileData to_profile(const std::vector<std::uint64_t>& counts, profile::MetricKind kind,
                                  ByGroups& groups) const;

 private:
  struct Line {
    std::uint32_t bci, line;
  };
  struct Range {
    std::uint32_t first;
    core::MethodId method;
    classfile::PathNumbering numbering;
    std::vector<Line> lines;
  };

  const std::uint32_t capacity_;
  mutable std::mutex lock_;
  core::MethodTable methods_;
  std::vector<std::unique_ptr<const Range>> ranges_;  // by their first number
  std::uint32_t size_ = 0;
};

}  // namespace bursar::agent
