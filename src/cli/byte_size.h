// Sizes as people write them: 100M, 1G, 65536.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bursar::cli {

// In bytes; nothing if it is no whole number with nothing or K, M, G or T behind it, or more than 2^62.
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

}  // namespace bursar::cli
