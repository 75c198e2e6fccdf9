#include "cli/duration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>

namespace bursar::cli {

namespace {

struct Unit {
  std::string_view name;
  double ns;
  double least;  // of a number in this unit, so that it is used
};
constexpr std::array<Unit, 4> kUnits = {{{"s", 1e9, 1}, {"ms", 1e6, 0.1}, {"us", 1e3, 1}, {"ns", 1, 0}}};
constexpr double kYearNs = 366 * 86'400e9;

}  // namespace

std::optional<std::uint64_t> parse_duration(std::string_view text) {
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc() || !(number >= 0)) return std::nullopt;
  const std::string_view name(stop, static_cast<std::size_t>(end - stop));
  for (const Unit& unit : kUnits) {
    if (unit.name != name) continue;
    const double ns = number * unit.ns;
    return ns <= kYearNs ? std::optional(static_cast<std::uint64_t>(std::llround(ns))) : std::nullopt;
  }
  return std::nullopt;
}

std::string duration_text(std::uint64_t ns) {
  for (const Unit& unit : kUnits) {
    const double number = static_cast<double>(ns) / unit.ns;
    if (number >= unit.least) return fmt::format("{:.10g}{}", number, unit.name);
  }
  return "0ns";
}

}  // namespace bursar::cli
