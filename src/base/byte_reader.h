// ByteReader: a bounded cursor over bytes that somebody else wrote.
//
// Invariant: never reads outside its span. The first read past the end makes the reader fail for good: that read and
// every later one return zero (or an empty span), and failed_at() keeps the offset. So a parser may read a whole
// record and test ok() once. Big-endian for class files, little-endian and varints for profile files.
// Owns nothing: the bytes must outlive it.
// Runs in: any
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace bursar::base {

using Bytes = std::span<const std::uint8_t>;

class ByteReader {
 public:
  explicit ByteReader(Bytes bytes, std::size_t start = 0) : bytes_(bytes), pos_(start) {
    if (start > bytes.size()) fail();
  }

  bool ok() const { return !failed_; }
  bool at_end() const { return failed_ || pos_ == bytes_.size(); }
  std::size_t position() const { return pos_; }
  std::size_t remaining() const { return failed_ ? 0 : bytes_.size() - pos_; }
  // Offset of the read that failed; position() while ok().
  std::size_t failed_at() const { return pos_; }

  std::uint8_t u1() {
    if (!has(1)) return 0;
    return bytes_[pos_++];
  }
  std::uint16_t u2_be() {
    if (!has(2)) return 0;
    const auto v = static_cast<std::uint16_t>(bytes_[pos_] << 8 | bytes_[pos_ + 1]);
    pos_ += 2;
    return v;
  }
  std::uint32_t u4_be() {
    if (!has(4)) return 0;
    const std::uint32_t v = std::uint32_t{bytes_[pos_]} << 24 | std::uint32_t{bytes_[pos_ + 1]} << 16 |
                            std::uint32_t{bytes_[pos_ + 2]} << 8 | std::uint32_t{bytes_[pos_ + 3]};
    pos_ += 4;
    return v;
  }
  std::uint16_t u2_le() { return static_cast<std::uint16_t>(little_endian(2)); }
  std::uint32_t u4_le() { return static_cast<std::uint32_t>(little_endian(4)); }
  std::uint64_t u8_le() { return little_endian(8); }

  // LEB128, at most 10 bytes; a longer or overflowing one fails the reader.
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (!has(1)) return 0;
      const std::uint8_t byte = bytes_[pos_];
      if (shift == 63 && byte > 1) break;
      ++pos_;
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    fail();
    return 0;
  }

  Bytes take(std::size_t count) {
    if (!has(count)) return {};
    const Bytes result = bytes_.subspan(pos_, count);
    pos_ += count;
    return result;
  }
  void skip(std::size_t count) { take(count); }
  void fail() { failed_ = true; }

 private:
  bool has(std::size_t count) {
    if (failed_ || bytes_.size() - pos_ < count) {
      failed_ = true;
      return false;
    }
    return true;
  }
  std::uint64_t little_endian(std::size_t width) {
    if (!has(width)) return 0;
    std::uint64_t value = 0;
    for (std::size_t i = width; i-- > 0;) value = value << 8 | bytes_[pos_ + i];
    pos_ += width;
    return value;
  }

  Bytes bytes_;
  std::size_t pos_;
  bool failed_ = false;
};

}  // namespace bursar::base
