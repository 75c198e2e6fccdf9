#include "cli/byte_size.h"

#include <charconv>

namespace bursar::cli {

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || end - stop > 1) return std::nullopt;
  unsigned shift = 0;
  if (stop != end) {
    constexpr std::string_view kUnits = "kmgt";
    const std::size_t unit = kUnits.find(static_cast<char>(*stop | 0x20));
    if (unit == std::string_view::npos) return std::nullopt;
    shift = 10 * (static_cast<unsigned>(unit) + 1);
  }
  constexpr std::uint64_t kMost = std::uint64_t{1} << 62;
  return number <= kMost >> shift ? std::optional(number << shift) : std::nullopt;
}

}  // namespace bursar::cli
