// Numbers and names as people read them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace bursar::cli {

// 1,234,567
std::string grouped(std::uint64_t number);
// Rounded to a whole number.
std::string grouped(double number);

// 12.34 %; <0.01 % for what is more than nothing but too small to show.
std::string percent(double part, double whole);

// "1 context", "12,345 contexts"
std::string counted(std::size_t number, std::string_view noun);

// Columns it takes on a terminal, if every code point takes one.
std::size_t display_width(std::string_view utf8);

// At most `width` columns: cut in the middle, more of the end kept, because there the names differ. 0 is no limit.
std::string elided(std::string_view text, std::size_t width, bool utf8);

// Safe to print whatever it holds: control characters and bytes that are no UTF-8 appear as \x1b.
std::string printable(std::string_view text);

}  // namespace bursar::cli
