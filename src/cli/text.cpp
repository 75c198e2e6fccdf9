#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace bursar::cli {

std::string grouped(std::uint64_t number) {
  const std::string digits = std::to_string(number);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string grouped(double number) {
  const double whole = std::round(std::max(number, 0.0));
  return grouped(whole >= 0x1p64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(whole));
}

std::string percent(double part, double whole) {
  const double share = whole > 0 ? 100 * part / whole : 0;
  if (share > 0 && share < 0.01) return "<0.01 %";
  return fmt::format("{:.2f} %", share);
}

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(std::uint64_t{number}), noun, number == 1 ? "" : "s");
}

namespace {

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

// Where the code point number `count` from the start begins.
std::size_t offset_of(std::string_view text, std::size_t count) {
  std::size_t at = 0;
  while (at < text.size() && count > 0) {
    ++at;
    while (at < text.size() && continues(text[at])) ++at;
    --count;
  }
  return at;
}

// The bytes of the code point at the start of `text`, 0 if it is not UTF-8 or would steer a terminal.
std::size_t harmless_prefix(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t size = lead >= 0xf0 && lead < 0xf5   ? 4
                           : lead >= 0xe0 && lead < 0xf0 ? 3
                           : lead >= 0xc2 && lead < 0xe0 ? 2
                                                         : 0;
  if (size == 0 || text.size() < size) return 0;
  if (!std::all_of(text.begin() + 1, text.begin() + static_cast<std::ptrdiff_t>(size), continues)) return 0;
  const auto second = static_cast<unsigned char>(text[1]);
  if (lead == 0xc2 && second < 0xa0) return 0;  // C1 controls
  return size;
}

}  // namespace

std::size_t display_width(std::string_view utf8) {
  return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return !continues(c); }));
}

std::string elided(std::string_view text, std::size_t width, bool utf8) {
  const std::string_view dots = utf8 ? "…" : "...";
  const std::size_t size = display_width(text);
  if (width == 0 || size <= width) return std::string(text);
  const std::size_t dots_size = display_width(dots);
  if (width <= dots_size) return std::string(text.substr(0, offset_of(text, width)));
  const std::size_t head = (width - dots_size) / 3;
  const std::size_t tail = width - dots_size - head;
  return fmt::format("{}{}{}", text.substr(0, offset_of(text, head)), dots, text.substr(offset_of(text, size - tail)));
}

std::string printable(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t harmless = harmless_prefix(text);
    if (harmless > 0) {
      out += text.substr(0, harmless);
    } else {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[0]));
    }
    text.remove_prefix(std::max<std::size_t>(harmless, 1));
  }
  return out;
}

}  // namespace bursar::cli
