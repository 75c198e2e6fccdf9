// What profilers cost a user's own program: CPU time and memory of its whole process, with the profiler over without,
// paired round by round.
#pragma once

#include <string>
#include <vector>

#include "evaluation/json.h"

namespace bursar::evaluation {

// In the form in which bench/slowdown gives those of workloads.
Json program_slowdowns(const std::vector<Json>& rows, const std::vector<std::string>& profilers);

}  // namespace bursar::evaluation
