#include "profile/section_writer.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "profile/file_layout.h"

namespace bursar::profile {
namespace {

// Measured with bench_profile_file; docs/format.md has the figures.
constexpr int kZstdLevel = 6;
// Below this size a zstd frame gains nothing worth its header.
constexpr std::size_t kMinCompressed = 64;

constexpr std::uint32_t kSkippableFrameMagic = 0x184D2A50;
constexpr std::size_t kSkippableFrameHeader = 8;

template <class Unsigned>
std::uint8_t* put_varint(std::uint8_t* to, Unsigned value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<std::uint8_t>(value | 0x80);
  *to++ = static_cast<std::uint8_t>(value);
  return to;
}

template <class Unsigned>
std::vector<std::uint8_t> varints(const std::vector<Unsigned>& values, unsigned max_width) {
  // Grown in steps, since the widest varint is several times the usual one.
  constexpr std::size_t kStep = 4096;
  std::vector<std::uint8_t> raw;
  std::size_t used = 0;
  for (std::size_t i = 0; i < values.size(); i += kStep) {
    const std::size_t end = std::min(values.size(), i + kStep);
    if (raw.size() < used + kStep * max_width) raw.resize(2 * raw.size() + kStep * max_width);
    std::uint8_t* to = raw.data() + used;
    for (std::size_t j = i; j < end; ++j) to = put_varint(to, values[j]);
    used = static_cast<std::size_t>(to - raw.data());
  }
  raw.resize(used);
  return raw;
}

void put_u4_le(std::uint8_t* to, std::size_t value) {
  for (int i = 0; i < 4; ++i, value >>= 8) to[i] = static_cast<std::uint8_t>(value);
}

// Brings a frame up to the least size a column may have, by a frame that decompressors skip.
void pad(std::vector<std::uint8_t>& frame, std::size_t raw_size) {
  const std::size_t least = (raw_size + kMaxRatio - 1) / kMaxRatio;
  if (frame.size() >= least) return;
  const std::size_t start = frame.size();
  frame.resize(std::max(least, start + kSkippableFrameHeader));
  put_u4_le(frame.data() + start, kSkippableFrameMagic);
  put_u4_le(frame.data() + start + 4, frame.size() - start - kSkippableFrameHeader);
}

// Empty if it cannot be made smaller.
std::vector<std::uint8_t> compress(ZSTD_CCtx* compressor, std::span<const std::uint8_t> raw) {
  if (raw.size() < kMinCompressed || compressor == nullptr) return {};
  std::vector<std::uint8_t> frame(ZSTD_compressBound(raw.size()));
  const std::size_t size =
      ZSTD_compressCCtx(compressor, frame.data(), frame.size(), raw.data(), raw.size(), kZstdLevel);
  if (ZSTD_isError(size)) return {};
  frame.resize(size);
  pad(frame, raw.size());
  if (frame.size() >= raw.size()) frame.clear();
  return frame;
}

}  // namespace

void SectionWriter::column(std::span<const std::uint8_t> raw) {
  const std::vector<std::uint8_t> frame = compress(compressor_, raw);
  const std::span<const std::uint8_t> stored = frame.empty() ? raw : frame;
  out_.u1(static_cast<std::uint32_t>(frame.empty() ? Codec::kStored : Codec::kZstd));
  out_.varint(raw.size());
  out_.varint(stored.size());
  out_.append(stored);
}

void SectionWriter::numbers(const std::vector<std::uint32_t>& values) {
  column(varints(values, kMaxVarint32));
}
void SectionWriter::numbers(const std::vector<std::uint64_t>& values) {
  column(varints(values, kMaxVarint64));
}
void SectionWriter::numbers(const std::vector<Uint128>& values) {
  column(varints(values, kMaxVarint128));
}

void SectionWriter::numbers_or_none(const std::vector<std::uint32_t>& values) {
  static_assert(kNone + 1 == 0);
  std::vector<std::uint32_t> shifted(values);
  for (std::uint32_t& value : shifted) ++value;
  numbers(shifted);
}

void SectionWriter::doubles(const std::vector<double>& values) {
  base::ByteWriter raw;
  raw.reserve(values.size() * sizeof(double));
  for (const double value : values) raw.u8_le(std::bit_cast<std::uint64_t>(value));
  column(raw.view());
}

void SectionWriter::strings(const std::vector<const std::string*>& values) {
  std::vector<std::uint64_t> lengths;
  std::size_t total = 0;
  lengths.reserve(values.size());
  for (const std::string* value : values) {
    lengths.push_back(value->size());
    total += value->size();
  }
  numbers(lengths);
  std::vector<std::uint8_t> text(total);
  std::size_t at = 0;
  for (const std::string* value : values) {
    // memcpy wants valid pointers even for nothing.
    if (!value->empty()) std::memcpy(text.data() + at, value->data(), value->size());
    at += value->size();
  }
  column(text);
}

}  // namespace bursar::profile
