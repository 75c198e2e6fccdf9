#include "export/gzip.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace bursar::exports {

namespace {

constexpr int kGzipWindow = 15 + 16;  // the largest window, and gzip's header and check sum
constexpr std::size_t kPackedAtOnce = 1 << 16;

// zlib counts in 32 bits: hands it the next part of the input.
void feed(z_stream& stream, std::string_view& bytes) {
  const std::size_t size = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max() / 2);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));  // NOLINT: zlib only reads it
  stream.avail_in = static_cast<uInt>(size);
  bytes.remove_prefix(size);
}

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

bool write_gzip(std::string_view bytes, const Sink& sink) {
  z_stream stream = {};
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return false;
  std::array<char, kPackedAtOnce> piece;
  bool open = true;
  for (int status = Z_OK; open && status != Z_STREAM_END;) {
    if (stream.avail_in == 0 && !bytes.empty()) feed(stream, bytes);
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());  // NOLINT: zlib's bytes
    stream.avail_out = piece.size();
    status = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    const std::size_t made = piece.size() - stream.avail_out;
    if (made > 0) open = sink(std::string_view(piece.data(), made));
  }
  deflateEnd(&stream);
  return open;
}

base::Result<std::string> read_gzip(std::string_view bytes, std::size_t limit) {
  z_stream stream = {};
  if (inflateInit2(&stream, kGzipWindow) != Z_OK) return base::Error{"out of memory"};
  std::string text;
  std::array<char, kPackedAtOnce> piece;
  int status = Z_OK;
  while (status == Z_OK && text.size() <= limit) {
    if (stream.avail_in == 0) feed(stream, bytes);
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());  // NOLINT: zlib's bytes
    stream.avail_out = piece.size();
    status = inflate(&stream, Z_NO_FLUSH);
    text.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (text.size() > limit) return base::Error{"too large when unpacked: more than " + std::to_string(limit) + " bytes"};
  if (status != Z_STREAM_END) return base::Error{"the gzip data is damaged or cut off"};
  return text;
}

}  // namespace bursar::exports
