// Spans of time as people write them: 10ms, 0.2ms, 5s, 200us, 50ns.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bursar::cli {

inline constexpr std::string_view kDurationForm = "a time such as 10ms, 0.2ms or 5s";

// In nanoseconds; nothing if it is no number with ns, us, ms or s behind it, or more than a year.
std::optional<std::uint64_t> parse_duration(std::string_view text);

// In the largest unit that gives at least 1, or milliseconds from 0.1 on: "0.2ms", "10ms", "1.5s".
std::string duration_text(std::uint64_t ns);

}  // namespace bursar::cli
