// SectionWriter: the columns of one section of the profile file, each compressed by itself.
//
// A column is: codec u8, raw length varint, stored length varint, stored bytes. Owns its bytes until take().
// Runs in: any thread that may allocate
#pragma once

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/byte_writer.h"
#include "profile/profile.h"

namespace bursar::profile {

struct ZstdCompressorDeleter {
  void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
};
using ZstdCompressor = std::unique_ptr<ZSTD_CCtx, ZstdCompressorDeleter>;

class SectionWriter {
 public:
  // The compressor is working memory; without one (out of memory) columns are stored as they are.
  explicit SectionWriter(ZSTD_CCtx* compressor) : compressor_(compressor) {}

  void number(std::uint64_t value) { out_.varint(value); }
  void numbers(const std::vector<std::uint32_t>& values);
  void numbers(const std::vector<std::uint64_t>& values);
  void numbers(const std::vector<Uint128>& values);
  // Where kNone is common or the only value: it is written as 0 and every other id as id + 1.
  void numbers_or_none(const std::vector<std::uint32_t>& values);
  void small_numbers(const std::vector<std::uint8_t>& values) { column(values); }
  void doubles(const std::vector<double>& values);
  void strings(const std::vector<const std::string*>& values);

  std::vector<std::uint8_t> take() { return out_.take(); }

 private:
  void column(std::span<const std::uint8_t> raw);

  base::ByteWriter out_;
  ZSTD_CCtx* compressor_;
};

}  // namespace bursar::profile
