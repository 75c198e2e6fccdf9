// Profile files made or changed by hand, with checksums that are right: what only a hostile writer would produce.
//
// The reader refuses anything whose checksums are wrong, so tests and the fuzzer need this to get any further.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_reader.h"
#include "base/byte_writer.h"
#include "profile/file_layout.h"

namespace bursar::profile {

using FileBytes = std::vector<std::uint8_t>;

struct ForgedSection {
  std::string_view tag;
  std::uint32_t flags = 0;
  FileBytes bytes;
};

inline void put_u8_le(FileBytes& bytes, std::size_t at, std::uint64_t value) {
  for (std::size_t i = 0; i < 8; ++i, value >>= 8) bytes[at + i] = static_cast<std::uint8_t>(value);
}

inline FileBytes forge_file(const std::vector<ForgedSection>& sections, std::uint32_t major = kMajorVersion,
                            std::uint32_t minor = kMinorVersion) {
  base::ByteWriter out;
  std::size_t offset = kHeaderSize + sections.size() * kDirectoryEntrySize + kChecksumSize;
  std::size_t size = offset;
  for (const ForgedSection& section : sections) size += section.bytes.size();
  out.append(kSignature);
  out.u2_le(major);
  out.u2_le(minor);
  out.u4_le(static_cast<std::uint32_t>(sections.size()));
  out.u8_le(size);
  for (const ForgedSection& section : sections) {
    for (const char letter : section.tag) out.u1(static_cast<std::uint8_t>(letter));
    out.u4_le(section.flags);
    out.u8_le(offset);
    out.u8_le(section.bytes.size());
    out.u8_le(checksum(section.bytes));
    offset += section.bytes.size();
  }
  out.u8_le(checksum(out.view()));
  for (const ForgedSection& section : sections) out.append(section.bytes);
  return out.take();
}

// The sections of a file that encode() made.
inline std::vector<ForgedSection> take_apart(const FileBytes& file) {
  base::ByteReader in(file, kSignature.size() + 4);
  std::vector<ForgedSection> sections(in.u4_le());
  in.skip(8);
  for (ForgedSection& section : sections) {
    const base::Bytes tag = in.take(4);
    for (const Tag& known : kSectionTags) {
      if (std::equal(known.begin(), known.end(), tag.begin())) section.tag = {known.data(), known.size()};
    }
    section.flags = in.u4_le();
    const std::uint64_t offset = in.u8_le();
    const base::Bytes bytes = std::span(file).subspan(offset, in.u8_le());
    section.bytes.assign(bytes.begin(), bytes.end());
    in.skip(8);
  }
  return sections;
}

// Makes every checksum, offset and size right that the directory leaves room for, whatever the bytes are.
inline void reseal(FileBytes& bytes) {
  if (bytes.size() < kHeaderSize + kChecksumSize) return;
  std::copy(kSignature.begin(), kSignature.end(), bytes.begin());
  base::ByteReader header(bytes, kSignature.size() + 4);
  const std::uint64_t first = kHeaderSize + std::uint64_t{header.u4_le()} * kDirectoryEntrySize + kChecksumSize;
  if (first > bytes.size()) return;
  put_u8_le(bytes, 16, bytes.size());
  std::uint64_t offset = first;
  for (std::size_t entry = kHeaderSize; entry + kChecksumSize < first; entry += kDirectoryEntrySize) {
    const bool last = entry + kDirectoryEntrySize + kChecksumSize == first;
    const std::uint64_t left = bytes.size() - offset;
    const std::uint64_t declared = base::ByteReader(bytes, entry + 16).u8_le();
    const std::uint64_t length = last ? left : std::min(declared, left);
    put_u8_le(bytes, entry + 8, offset);
    put_u8_le(bytes, entry + 16, length);
    put_u8_le(bytes, entry + 24, checksum(std::span(bytes).subspan(offset, length)));
    offset += length;
  }
  put_u8_le(bytes, first - kChecksumSize, checksum(std::span(bytes).first(first - kChecksumSize)));
}

}  // namespace bursar::profile
