#include "cli/duration.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <utility>

#include "cli/text.h"

namespace bursar::cli {

base::Result<std::uint64_t> parse_duration(std::string_view text) {
  static constexpr std::pair<std::string_view, double> kUnits[] = {{"ns", 1},  {"us", 1e3},   {"ms", 1e6},
                                                                   {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}};
  constexpr double kLongest = 1e18;
  double number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const auto& [name, factor] : kUnits) {
    if (failure != std::errc() || unit != name || !(number >= 0) || number * factor > kLongest) continue;
    return static_cast<std::uint64_t>(std::llround(number * factor));
  }
  return base::Error{fmt::format("{} is not a duration; write 10ms, 30s, 5min", printable(text))};
}

}  // namespace bursar::cli
