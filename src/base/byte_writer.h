// ByteWriter: grows a byte vector; the mirror of ByteReader.
//
// Owns its bytes until take(). Single writer.
// Runs in: any thread that may allocate
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace bursar::base {

class ByteWriter {
 public:
  std::size_t size() const { return bytes_.size(); }
  std::span<const std::uint8_t> view() const { return bytes_; }
  std::vector<std::uint8_t> take() { return std::move(bytes_); }
  void reserve(std::size_t count) { bytes_.reserve(count); }

  void u1(std::uint32_t v) { bytes_.push_back(static_cast<std::uint8_t>(v)); }
  void u2_be(std::uint32_t v) {
    u1(v >> 8);
    u1(v);
  }
  void u4_be(std::uint32_t v) {
    u2_be(v >> 16);
    u2_be(v);
  }
  void u2_le(std::uint32_t v) { little_endian(v, 2); }
  void u4_le(std::uint32_t v) { little_endian(v, 4); }
  void u8_le(std::uint64_t v) { little_endian(v, 8); }
  void varint(std::uint64_t v) {
    for (; v >= 0x80; v >>= 7) bytes_.push_back(static_cast<std::uint8_t>(v | 0x80));
    bytes_.push_back(static_cast<std::uint8_t>(v));
  }
  void append(std::span<const std::uint8_t> more) { bytes_.insert(bytes_.end(), more.begin(), more.end()); }

  // Overwrites bytes written earlier; `at` must lie inside what was written.
  void patch_u2_be(std::size_t at, std::uint32_t v) {
    bytes_[at] = static_cast<std::uint8_t>(v >> 8);
    bytes_[at + 1] = static_cast<std::uint8_t>(v);
  }
  void patch_u4_be(std::size_t at, std::uint32_t v) {
    patch_u2_be(at, v >> 16);
    patch_u2_be(at + 2, v);
  }

 private:
  void little_endian(std::uint64_t v, int width) {
    for (int i = 0; i < width; ++i, v >>= 8) bytes_.push_back(static_cast<std::uint8_t>(v));
  }

  std::vector<std::uint8_t> bytes_;
};

}  // namespace bursar::base
