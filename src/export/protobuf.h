// Protocol buffers, as far as pprof's files need them: the wire format's numbers and blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace bursar::exports {

// Writes fields to a string. A field of number 0 or of an empty block is written too.
class MessageWriter {
 public:
  void number(unsigned field, std::uint64_t value) {
    varint(std::uint64_t{field} << 3);
    varint(value);
  }
  void block(unsigned field, std::string_view bytes) {
    varint(std::uint64_t{field} << 3 | 2);
    varint(bytes.size());
    bytes_ += bytes;
  }
  // Without a field: an element of a packed block.
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  const std::string& bytes() const { return bytes_; }
  void clear() { bytes_.clear(); }

 private:
  std::string bytes_;
};

// Reads one field after the other. After the last one, or at damage, next() is false; ok() tells which.
class MessageReader {
 public:
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

  bool next() {
    if (rest_.empty() || !ok_) return false;
    const std::uint64_t key = varint();
    field_ = static_cast<unsigned>(key >> 3);
    is_block_ = (key & 7) == 2;
    number_ = 0;
    block_ = {};
    switch (key & 7) {
      case 0:
        number_ = varint();
        break;
      case 1:
        skip(8);
        break;
      case 2:
        block_ = skip(varint());
        break;
      case 5:
        skip(4);
        break;
      default:
        ok_ = false;
    }
    return ok_;
  }

  bool ok() const { return ok_; }
  unsigned field() const { return field_; }
  std::uint64_t number() const { return number_; }
  std::string_view block() const { return block_; }

  // The numbers of a repeated field: one, or a packed block of them.
  template <class Take>
  void numbers(Take take) {
    if (!is_block_) {
      take(number_);
      return;
    }
    MessageReader packed(block_);
    while (!packed.rest_.empty() && packed.ok_) {
      const std::uint64_t value = packed.varint();
      if (packed.ok_) take(value);
    }
    ok_ = ok_ && packed.ok_;
  }

 private:
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (rest_.empty()) break;
      const auto byte = static_cast<unsigned char>(rest_.front());
      rest_.remove_prefix(1);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (byte < 0x80) return value;
    }
    ok_ = false;
    return 0;
  }

  std::string_view skip(std::uint64_t size) {
    if (size > rest_.size()) {
      ok_ = false;
      return {};
    }
    const std::string_view skipped = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return skipped;
  }

  std::string_view rest_;
  bool ok_ = true;
  bool is_block_ = false;
  unsigned field_ = 0;
  std::uint64_t number_ = 0;
  std::string_view block_;
};

}  // namespace bursar::exports
