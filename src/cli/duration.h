// Spans of time as people write them: 10ms, 0.2ms, 30s, 1.5h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bursar::cli {

// Nanoseconds, a year at most. A number, with or without a fraction, and one of ns, us, ms, s, min, h.
base::Result<std::uint64_t> parse_duration(std::string_view text);

// In the largest unit up to seconds that gives at least 1, or milliseconds from 0.1 on: "0.2ms", "10ms", "1.5s".
std::string duration_text(std::uint64_t ns);

}  // namespace bursar::cli
