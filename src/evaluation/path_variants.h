// The ways to profile paths that an evaluation of the path modes compares (paper 003, Figures 6 to 9).
//
// A variant is a profiler of the plan, with a name of its own and options for `bursar record`.
#pragma once

#include <string>
#include <vector>

namespace bursar::evaluation {

inline constexpr const char* kExactPaths = "exact-paths";  // the truth of them

struct PathVariant {
  std::string name;
  std::vector<std::string> options;  // of bursar record
};

const std::vector<PathVariant>& path_variants();
std::vector<std::string> path_variant_names();

// How `bursar record` is told to be this profiler: a variant, or else a mode.
std::vector<std::string> record_options(const std::string& profiler);

}  // namespace bursar::evaluation
