// Numbers the paths of every method and holds that against all its paths, found by brute force.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "classfile/path_graph.h"

namespace bursar::class_sweep {

struct PathCounts {
  std::uint64_t numbered = 0;  // methods
  std::uint64_t cut = 0;       // of those, with more ends than loop headers
  std::array<std::uint64_t, classfile::kPathRefusalNames.size()> refused{};  // by PathRefusal
  std::uint64_t paths = 0;
  std::uint64_t most_paths = 0;  // of one method
  std::vector<std::string> faults;
};

// Adds what this class has.
void check_paths(base::Bytes class_file, PathCounts& counts);

}  // namespace bursar::class_sweep
