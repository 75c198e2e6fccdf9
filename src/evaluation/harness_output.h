// What a workload's harness printed, as far as accuracy needs it: did the program compute what it must?
//
//   result fop median_ms 790.1 median_cpu_ms 800.0 checksum 0003d1ba0b07e250 OK
//
// bench/measure/harness_output.py reads the same lines for the times in them.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bursar::evaluation {

// The checksum of a complete run whose iterations agree.
base::Result<std::string> parse_checksum(std::string_view harness_output);

}  // namespace bursar::evaluation
