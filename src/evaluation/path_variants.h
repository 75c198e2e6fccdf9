// The ways to profile paths that an evaluation of the path modes compares (paper 003, Figures 6 to 9).
#pragma once

#include <vector>

#include "evaluation/variant.h"

namespace bursar::evaluation {

inline constexpr const char* kExactPaths = "exact-paths";  // the truth of them

const std::vector<Variant>& path_variants();

}  // namespace bursar::evaluation
