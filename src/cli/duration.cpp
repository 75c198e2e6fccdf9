#include "cli/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

#include "cli/text.h"

namespace bursar::cli {

namespace {

struct Unit {
  std::string_view name;
  double ns;
  double least;  // of a number in this unit, so that it is shown in it
};
constexpr double kNever = 1e300;
constexpr std::array<Unit, 6> kUnits = {
    {{"h", 3600e9, kNever}, {"min", 60e9, kNever}, {"s", 1e9, 1}, {"ms", 1e6, 0.1}, {"us", 1e3, 1}, {"ns", 1, 0}}};
constexpr double kYearNs = 366 * 86'400e9;

}  // namespace

base::Result<std::uint64_t> parse_duration(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  const std::string_view name(stop, static_cast<std::size_t>(end - stop));
  for (const Unit& unit : kUnits) {
    if (failure != std::errc() || unit.name != name || !(number >= 0) || number * unit.ns > kYearNs) continue;
    return static_cast<std::uint64_t>(std::llround(number * unit.ns));
  }
  return base::Error{fmt::format("{} is not a duration; write 10ms, 30s, 5min", printable(text))};
}

std::string duration_text(std::uint64_t ns) {
  for (const Unit& unit : kUnits) {
    const double number = static_cast<double>(ns) / unit.ns;
    if (number >= unit.least) return fmt::format("{:.10g}{}", number, unit.name);
  }
  return "0ns";
}

}  // namespace bursar::cli
