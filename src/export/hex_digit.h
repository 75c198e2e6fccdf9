// The value of a hexadecimal digit as our escapes have them, in small letters; -1 of anything else.
#pragma once

namespace bursar::exports {

constexpr int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

}  // namespace bursar::exports
