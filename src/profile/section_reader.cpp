#include "profile/section_reader.h"

#include <zstd.h>

#include <bit>
#include <limits>

#include "profile/file_layout.h"

namespace bursar::profile {
namespace {

using std::to_string;

// Reads one varint from [at, end); null if it is cut off or does not fit.
template <class Unsigned>
const std::uint8_t* get_varint(const std::uint8_t* at, const std::uint8_t* end, Unsigned& value) {
  constexpr unsigned kBits = sizeof(Unsigned) * 8;
  Unsigned result = 0;
  for (unsigned shift = 0; shift < kBits && at != end; shift += 7) {
    const std::uint8_t byte = *at++;
    const auto low = static_cast<Unsigned>(byte & 0x7fU);
    if (shift + 7 > kBits && (low >> (kBits - shift)) != 0) return nullptr;
    result |= static_cast<Unsigned>(low << shift);
    if (byte < 0x80) {
      value = result;
      return at;
    }
  }
  return nullptr;
}

}  // namespace

void SectionReader::fail(const std::string& what) {
  if (!ok()) return;
  error_ = "section " + name_ + " is damaged at offset " + to_string(offset_ + in_.position()) + ": " + what;
}

bool SectionReader::finish() {
  if (ok() && !in_.at_end()) fail(to_string(in_.remaining()) + " bytes after its last column");
  return ok();
}

std::uint64_t SectionReader::number(const char* what) {
  if (!ok()) return 0;
  const std::uint64_t value = in_.varint();
  if (!in_.ok()) fail(std::string(what) + " is cut off or too large");
  return ok() ? value : 0;
}

std::size_t SectionReader::count(const char* what) {
  const std::uint64_t value = number(what);
  if (value / kMaxRatio > in_.remaining()) {
    fail(std::string(what) + " is " + to_string(value) + ", more than " + to_string(in_.remaining()) +
         " bytes can hold");
  }
  if (value >= kNone) fail(std::string(what) + " is " + to_string(value) + ", more than ids can tell apart");
  return ok() ? static_cast<std::size_t>(value) : 0;
}

bool SectionReader::decompress(const char* column, base::Bytes stored, std::size_t raw_size) {
  unpacked_.resize(raw_size);
  const std::size_t size = ZSTD_decompress(unpacked_.data(), unpacked_.size(), stored.data(), stored.size());
  if (ZSTD_isError(size) || size != raw_size) {
    fail(std::string("column ") + column + " does not decompress to " + to_string(raw_size) + " bytes (" +
         (ZSTD_isError(size) ? ZSTD_getErrorName(size) : "it is shorter") + ")");
    return false;
  }
  raw_ = unpacked_;
  return true;
}

bool SectionReader::raw_column(const char* column, std::uint64_t at_least, std::uint64_t at_most) {
  if (!ok()) return false;
  const std::uint8_t codec = in_.u1();
  const std::uint64_t raw_size = in_.varint();
  const std::uint64_t stored_size = in_.varint();
  if (!in_.ok() || stored_size > in_.remaining()) {
    fail(std::string("column ") + column + " runs past the end of the section");
    return false;
  }
  if (raw_size < at_least || raw_size > at_most) {
    fail(std::string("column ") + column + " has " + to_string(raw_size) + " raw bytes, but its rows need " +
         to_string(at_least) + " to " + to_string(at_most));
    return false;
  }
  if (codec == static_cast<std::uint8_t>(Codec::kStored)) {
    if (raw_size != stored_size) {
      fail(std::string("column ") + column + " is not compressed, yet its two lengths differ");
      return false;
    }
    raw_ = in_.take(static_cast<std::size_t>(stored_size));
    return true;
  }
  if (codec != static_cast<std::uint8_t>(Codec::kZstd)) {
    fail(std::string("column ") + column + " has the unknown codec " + to_string(codec));
    return false;
  }
  // Written without a product, which a hostile length could overflow.
  if (raw_size / kMaxRatio > stored_size || (raw_size / kMaxRatio == stored_size && raw_size % kMaxRatio != 0)) {
    fail(std::string("column ") + column + " claims to grow from " + to_string(stored_size) + " to " +
         to_string(raw_size) + " bytes; more than " + to_string(kMaxRatio) + " times is refused");
    return false;
  }
  return decompress(column, in_.take(static_cast<std::size_t>(stored_size)), static_cast<std::size_t>(raw_size));
}

template <class Unsigned>
std::vector<Unsigned> SectionReader::varints(const char* column, std::size_t rows, unsigned max_width) {
  if (!raw_column(column, rows, std::uint64_t{rows} * max_width)) return {};
  std::vector<Unsigned> values(rows);
  const std::uint8_t* at = raw_.data();
  const std::uint8_t* const end = at + raw_.size();
  for (std::size_t i = 0; i < rows; ++i) {
    at = get_varint(at, end, values[i]);
    if (at == nullptr) {
      fail(std::string("column ") + column + ": row " + to_string(i) + " is cut off or too large");
      return {};
    }
  }
  if (at != end) {
    fail(std::string("column ") + column + ": " + to_string(end - at) + " bytes after its last row");
    return {};
  }
  return values;
}

std::vector<std::uint32_t> SectionReader::numbers32(const char* column, std::size_t rows) {
  return varints<std::uint32_t>(column, rows, kMaxVarint32);
}
std::vector<std::uint64_t> SectionReader::numbers64(const char* column, std::size_t rows) {
  return varints<std::uint64_t>(column, rows, kMaxVarint64);
}
std::vector<Uint128> SectionReader::numbers128(const char* column, std::size_t rows) {
  return varints<Uint128>(column, rows, kMaxVarint128);
}

std::vector<std::uint32_t> SectionReader::numbers_or_none(const char* column, std::size_t rows) {
  std::vector<std::uint32_t> values = numbers32(column, rows);
  for (std::uint32_t& value : values) --value;
  return values;
}

std::vector<std::uint8_t> SectionReader::small_numbers(const char* column, std::size_t rows) {
  if (!raw_column(column, rows, rows)) return {};
  return {raw_.begin(), raw_.end()};
}

std::vector<double> SectionReader::doubles(const char* column, std::size_t rows) {
  const std::uint64_t size = std::uint64_t{rows} * sizeof(double);
  if (!raw_column(column, size, size)) return {};
  std::vector<double> values;
  values.reserve(rows);
  base::ByteReader raw(raw_);
  for (std::size_t i = 0; i < rows; ++i) values.push_back(std::bit_cast<double>(raw.u8_le()));
  return values;
}

std::vector<std::string> SectionReader::strings(const char* column, std::size_t rows) {
  const std::vector<std::uint64_t> lengths = numbers64(column, rows);
  if (!ok()) return {};
  std::uint64_t total = 0;
  for (const std::uint64_t length : lengths) {
    if (length > std::numeric_limits<std::uint64_t>::max() - total) {
      fail(std::string("column ") + column + ": its lengths add up to more than 64 bits hold");
      return {};
    }
    total += length;
  }
  if (!raw_column(column, total, total)) return {};
  std::vector<std::string> values;
  values.reserve(rows);
  base::ByteReader raw(raw_);
  for (const std::uint64_t length : lengths) {
    const base::Bytes text = raw.take(static_cast<std::size_t>(length));
    values.emplace_back(text.begin(), text.end());
  }
  return values;
}

}  // namespace bursar::profile
