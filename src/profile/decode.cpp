// decode(): the header and directory of a profile file, and then its sections.
#include <algorithm>
#include <string>
#include <utility>

#include "base/byte_reader.h"
#include "profile/decode_sections.h"
#include "profile/file_layout.h"
#include "profile/freeze.h"
#include "profile/profile_file.h"
#include "profile/section_reader.h"

namespace bursar::profile {
namespace {

using base::Bytes;
using base::Error;
using std::to_string;

struct Entry {
  Tag tag = {};
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  std::uint64_t sum = 0;

  std::string name() const {
    std::string text;
    for (const char letter : tag) text += letter >= ' ' && letter <= '~' ? letter : '?';
    return text;
  }
  // The section's place in kSectionTags, or their number.
  std::size_t index() const {
    return static_cast<std::size_t>(std::find(kSectionTags.begin(), kSectionTags.end(), tag) - kSectionTags.begin());
  }
};

Error cut_short(std::size_t size, const std::string& where) {
  return {"the file is cut short: it ends after " + to_string(size) + " bytes, inside " + where};
}

base::Status check_signature_and_version(Bytes bytes) {
  if (bytes.empty()) return Error{"the file is empty; this is not a Bursar profile"};
  const std::size_t common = std::min(bytes.size(), kSignature.size());
  if (!std::equal(kSignature.begin(), kSignature.begin() + common, bytes.begin())) {
    return Error{"this is not a Bursar profile: it does not start with the signature of one"};
  }
  if (bytes.size() < kHeaderSize) return cut_short(bytes.size(), "its header");
  base::ByteReader in(bytes, kSignature.size());
  const std::uint16_t major = in.u2_le();
  const std::uint16_t minor = in.u2_le();
  if (major > kMajorVersion) {
    return Error{"the profile was written by a newer Bursar (format " + to_string(major) + "." + to_string(minor) +
                 "); this one reads up to " + to_string(kMajorVersion) + ".x: update bursar"};
  }
  if (major < kMajorVersion) {
    return Error{"the header is damaged: there is no format " + to_string(major) + "." + to_string(minor)};
  }
  return base::Done{};
}

// Sections lie one after the other in the order of the directory, so that every byte has its checksum.
base::Status check_layout(Bytes bytes, const std::vector<Entry>& directory, std::size_t first) {
  std::uint64_t expected = first;
  std::size_t next_index = 0;
  for (const Entry& entry : directory) {
    const std::string what = "section " + entry.name();
    if (entry.offset != expected || entry.length > bytes.size() - expected) {
      return Error{"the directory is damaged: " + what + " should start at offset " + to_string(expected) +
                   " and end inside the file"};
    }
    expected += entry.length;
    if ((entry.flags & ~kOptionalSection) != 0) {
      return Error{what + " has flags that this version does not know: update bursar"};
    }
    if (entry.index() == kSectionCount) {
      if ((entry.flags & kOptionalSection) != 0) continue;
      return Error{what + " is needed to read the profile, and this version does not know it: update bursar"};
    }
    if (entry.index() < next_index) {
      return Error{"the directory is damaged: " + what + " is there twice or out of order"};
    }
    next_index = entry.index() + 1;
  }
  if (expected != bytes.size()) {
    return Error{"the directory is damaged: " + to_string(bytes.size() - expected) +
                 " bytes belong to no section, from offset " + to_string(expected)};
  }
  if (directory.empty() || directory.front().index() != 0) return Error{"the directory is damaged: no section META"};
  return base::Done{};
}

base::Result<std::vector<Entry>> read_directory(Bytes bytes) {
  if (const base::Status known = check_signature_and_version(bytes); !known) return known.error();
  base::ByteReader in(bytes, kSignature.size() + 4);
  const std::uint32_t sections = in.u4_le();
  const std::uint64_t file_size = in.u8_le();
  const std::uint64_t first = kHeaderSize + std::uint64_t{sections} * kDirectoryEntrySize + kChecksumSize;
  if (first > bytes.size()) return cut_short(bytes.size(), "its directory of " + to_string(sections) + " sections");

  std::vector<Entry> directory(sections);
  for (Entry& entry : directory) {
    for (char& letter : entry.tag) letter = static_cast<char>(in.u1());
    entry.flags = in.u4_le();
    entry.offset = in.u8_le();
    entry.length = in.u8_le();
    entry.sum = in.u8_le();
  }
  if (in.u8_le() != checksum(bytes.first(static_cast<std::size_t>(first) - kChecksumSize))) {
    return Error{"the header is damaged: the checksum at offset " + to_string(first - kChecksumSize) + " is wrong"};
  }
  if (bytes.size() < file_size) {
    return Error{"the file is cut short: it has " + to_string(bytes.size()) + " of " + to_string(file_size) + " bytes"};
  }
  if (bytes.size() > file_size) {
    return Error{to_string(bytes.size() - file_size) + " bytes too many from offset " + to_string(file_size) + " on"};
  }
  if (const base::Status sound = check_layout(bytes, directory, static_cast<std::size_t>(first)); !sound) {
    return sound.error();
  }
  return directory;
}

// A table whose section is missing is empty, and has its empty columns.
void supply_columns(ProfileData& data) {
  data.contexts.columns.resize(data.metrics.size());
  data.edges.columns.resize(data.metrics.size());
}

}  // namespace

base::Result<Profile> decode(std::span<const std::uint8_t> bytes) {
  const base::Result<std::vector<Entry>> directory = read_directory(bytes);
  if (!directory) return directory.error();

  ProfileData data;
  for (const Entry& entry : *directory) {
    const Bytes stored = bytes.subspan(static_cast<std::size_t>(entry.offset), static_cast<std::size_t>(entry.length));
    if (checksum(stored) != entry.sum) {
      return Error{"section " + entry.name() + " is damaged: the checksum of its " + to_string(entry.length) +
                   " bytes at offset " + to_string(entry.offset) + " is wrong"};
    }
    if (entry.index() == kSectionCount) continue;
    SectionReader in(entry.name(), stored, static_cast<std::size_t>(entry.offset));
    decode_section(static_cast<Section>(entry.index()), in, data);
    if (!in.finish()) return Error{in.error()};
  }
  supply_columns(data);
  base::Result<Profile> profile = accept_canonical(std::move(data));
  if (!profile) return Error{"the profile is not in canonical form: " + profile.error().message};
  return profile;
}

}  // namespace bursar::profile
