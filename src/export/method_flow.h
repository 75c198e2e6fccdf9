// flows_of(): what paths tell of each method: how often it was entered, each block ran, each jump was taken.
//
// Where a path ends on arrival at a loop header, that is its last block, and the first of the path that follows: it
// counts once, there. Numbers of sampled paths are weights.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace bursar::exports {

struct Jump {
  std::uint32_t from;  // the bytecode index of the branch
  std::uint32_t to;    // of the block it goes to
  std::uint64_t taken;
  std::optional<std::uint64_t> seen;  // how often the branch ran, if it jumps or falls through; none of a switch
};

struct MethodFlow {
  profile::MethodId method;
  std::uint64_t entries = 0;
  std::map<std::uint32_t, std::uint64_t> blocks;  // by bytecode index
  std::vector<Jump> jumps;                        // by from
  std::size_t first_branch = 0, end_branch = 0;   // of ProfileData::branches
};

// In the order of methods.
std::vector<MethodFlow> flows_of(const profile::ProfileData& data);

// a.b.Outer$Inner lies in a/b/Outer.java, as compilers want it for public classes; empty for pseudo methods.
std::string source_file_of(const profile::Method& method);

}  // namespace bursar::exports
