#include "export/ccmap_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "export/hex_digit.h"

namespace bursar::exports {

namespace {

bool is_between(char c, unsigned low, unsigned high) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= low && byte <= high;
}

// The bytes of the character at the start of `text`, 0 if XML may not hold it: what is no UTF-8, surrogates, U+FFFE and
// U+FFFF, control characters.
std::size_t xml_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t size = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_between(text[i], 0x80, 0xbf)) return 0;
  }
  if (lead == 0xc2 && is_between(text[1], 0x80, 0x9f)) return 0;
  if (lead == 0xe0 && is_between(text[1], 0x80, 0x9f)) return 0;
  if (lead == 0xed && is_between(text[1], 0xa0, 0xbf)) return 0;
  if (lead == 0xef && text[1] == '\xbf' && is_between(text[2], 0xbe, 0xbf)) return 0;
  if (lead == 0xf0 && is_between(text[1], 0x80, 0x8f)) return 0;
  if (lead == 0xf4 && is_between(text[1], 0x90, 0xbf)) return 0;
  return size;
}

}  // namespace

std::string attribute_text(std::string_view name) {
  std::string out;
  while (!name.empty()) {
    const std::size_t size = xml_character(name);
    if (size == 0) {
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(name[0]));
    } else if (name[0] == '\\') {
      out += "\\\\";
    } else if (name[0] == '&') {
      out += "&amp;";
    } else if (name[0] == '<') {
      out += "&lt;";
    } else if (name[0] == '>') {
      out += "&gt;";
    } else if (name[0] == '"') {
      out += "&quot;";
    } else {
      out += name.substr(0, size);
    }
    name.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return out;
}

std::optional<std::string> name_of_attribute(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    if (text[0] != '\\') {
      out += text[0];
      text.remove_prefix(1);
    } else if (text.starts_with("\\\\")) {
      out += '\\';
      text.remove_prefix(2);
    } else {
      const bool hex =
          text.starts_with("\\x") && text.size() >= 4 && hex_digit(text[2]) >= 0 && hex_digit(text[3]) >= 0;
      if (!hex) return std::nullopt;
      out += static_cast<char>(hex_digit(text[2]) * 16 + hex_digit(text[3]));
      text.remove_prefix(4);
    }
  }
  return out;
}

std::string decimal(profile::Uint128 number) {
  std::string digits;
  do {
    digits += static_cast<char>('0' + static_cast<int>(number % 10));
    number /= 10;
  } while (number > 0);
  std::reverse(digits.begin(), digits.end());
  return digits;
}

std::optional<profile::Uint128> parse_decimal(std::string_view text, profile::Uint128 largest) {
  if (text.empty() || (text.size() > 1 && text[0] == '0')) return std::nullopt;
  profile::Uint128 number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    const auto digit = static_cast<profile::Uint128>(c - '0');
    if (number > (largest - digit) / 10) return std::nullopt;
    number = number * 10 + digit;
  }
  return number;
}

}  // namespace bursar::exports
