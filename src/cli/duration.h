// Durations as people write them: 10ms, 30s, 1.5h.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace bursar::cli {

// Nanoseconds. A number, with or without a fraction, and one of ns, us, ms, s, min, h.
base::Result<std::uint64_t> parse_duration(std::string_view text);

}  // namespace bursar::cli
