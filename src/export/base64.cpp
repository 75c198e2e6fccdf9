#include "export/base64.h"

#include <algorithm>
#include <string>

namespace bursar::exports {

namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kEncodedAtOnce = 3 << 14;  // a multiple of 3: only the last piece is padded

}  // namespace

bool write_base64(std::span<const std::uint8_t> bytes, const Sink& sink) {
  std::string text;
  while (!bytes.empty()) {
    const std::span<const std::uint8_t> piece = bytes.first(std::min(bytes.size(), kEncodedAtOnce));
    bytes = bytes.subspan(piece.size());
    text.clear();
    for (std::size_t i = 0; i < piece.size(); i += 3) {
      const std::size_t given = std::min<std::size_t>(3, piece.size() - i);
      std::uint32_t bits = 0;
      for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (j < given ? piece[i + j] : 0U);
      for (std::size_t j = 0; j < 4; ++j) text += j <= given ? kDigits[bits >> (18 - 6 * j) & 63U] : '=';
    }
    if (!sink(text)) return false;
  }
  return true;
}

}  // namespace bursar::exports
