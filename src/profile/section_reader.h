// SectionReader: the columns of one section of the profile file, read back without trust.
//
// Invariant: the first thing that is wrong is kept as a sentence; from then on every read gives nothing. So a section
// may be read whole and ok() asked once, but a size must be asked for ok() before it is used. No read takes more memory
// than kMaxRatio times the bytes it consumes, times the size of an element.
// Owns nothing of the bytes: they must outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "profile/profile.h"

namespace bursar::profile {

class SectionReader {
 public:
  // `offset` is where the section starts in the file, for messages.
  SectionReader(std::string name, base::Bytes bytes, std::size_t offset)
      : name_(std::move(name)), in_(bytes), offset_(offset) {}

  bool ok() const { return error_.empty(); }
  const std::string& error() const { return error_; }
  void fail(const std::string& what);
  // Everything was read and nothing is left.
  bool finish();

  std::uint64_t number(const char* what);
  // A number of rows; refused when the bytes that are left cannot hold so many.
  std::size_t count(const char* what);

  std::vector<std::uint32_t> numbers32(const char* column, std::size_t rows);
  std::vector<std::uint64_t> numbers64(const char* column, std::size_t rows);
  std::vector<Uint128> numbers128(const char* column, std::size_t rows);
  std::vector<std::uint32_t> numbers_or_none(const char* column, std::size_t rows);
  std::vector<std::uint8_t> small_numbers(const char* column, std::size_t rows);
  std::vector<double> doubles(const char* column, std::size_t rows);
  std::vector<std::string> strings(const char* column, std::size_t rows);

 private:
  template <class Unsigned>
  std::vector<Unsigned> varints(const char* column, std::size_t rows, unsigned max_width);
  // The raw bytes of the next column. False unless their number lies between the bounds.
  bool raw_column(const char* column, std::uint64_t at_least, std::uint64_t at_most);
  bool decompress(const char* column, base::Bytes stored, std::size_t raw_size);

  std::string name_;
  base::ByteReader in_;
  std::size_t offset_;
  std::string error_;
  base::Bytes raw_;  // the column that was read last: a part of the input, or of unpacked_
  std::vector<std::uint8_t> unpacked_;
};

}  // namespace bursar::profile
