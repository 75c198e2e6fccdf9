// The profile file: a Profile as bytes, and back. docs/format.md describes it byte by byte.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "profile/profile.h"

namespace bursar::profile {

std::vector<std::uint8_t> encode(const Profile& profile);

// Trusts nothing: every count, id, checksum and order is checked before it is used, and memory stays in proportion to
// the input. The error says what is wrong and at which offset or in which section.
base::Result<Profile> decode(std::span<const std::uint8_t> bytes);

// Writes to a temporary name in the same folder, syncs, and renames: `path` holds the old file or the new one, never a
// part of one. A link is followed; a device or pipe is written to as it is. The error names the path and the system's
// reason, and the old file is untouched.
base::Status write_file(const Profile& profile, const std::string& path);
base::Result<Profile> read_file(const std::string& path);

}  // namespace bursar::profile
