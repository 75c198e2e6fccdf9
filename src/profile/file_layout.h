// The fixed parts of the profile file: signature, version, directory, section tags, limits. See docs/format.md.
//
//   header     24 bytes: signature 8, major u16, minor u16, sections u32, file size u64
//   directory  32 bytes for each section: tag 4, flags u32, offset u64, length u64, XXH3-64 of the section's bytes u64
//   checksum    8 bytes: XXH3-64 of everything before it
//   sections   one after the other, without gaps, up to the end of the file
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace bursar::profile {

inline constexpr std::array<std::uint8_t, 8> kSignature = {0x89, 'B', 'U', 'R', 'S', 'A', 'R', '\n'};
inline constexpr std::uint16_t kMajorVersion = 1;
inline constexpr std::uint16_t kMinorVersion = 0;

inline constexpr std::size_t kHeaderSize = 24;
inline constexpr std::size_t kDirectoryEntrySize = 32;
inline constexpr std::size_t kChecksumSize = 8;

// In the order in which they come. A section that would be empty is left out, except the first.
enum class Section : std::uint8_t {
  kMeta,
  kMetrics,
  kMethods,
  kMethodSizes,
  kContexts,
  kEdges,
  kThreads,
  kPaths,
  kBranches,
  kLines,
  kSeries
};
inline constexpr std::size_t kSectionCount = 11;
using Tag = std::array<char, 4>;
inline constexpr std::array<Tag, kSectionCount> kSectionTags = {{{'M', 'E', 'T', 'A'},
                                                                 {'M', 'E', 'T', 'R'},
                                                                 {'M', 'E', 'T', 'H'},
                                                                 {'S', 'I', 'Z', 'E'},
                                                                 {'C', 'T', 'X', 'T'},
                                                                 {'E', 'D', 'G', 'E'},
                                                                 {'T', 'H', 'R', 'D'},
                                                                 {'P', 'A', 'T', 'H'},
                                                                 {'B', 'R', 'C', 'H'},
                                                                 {'L', 'I', 'N', 'E'},
                                                                 {'S', 'E', 'R', 'S'}}};

// Directory flag: a reader that does not know the section may skip it.
inline constexpr std::uint32_t kOptionalSection = 1;

// Bits of the first number of META.
inline constexpr std::uint64_t kIdentityCallSites = 1;
inline constexpr std::uint64_t kIdentityDescriptors = 2;
inline constexpr std::uint64_t kIdentityFoldedRecursion = 4;

enum class Codec : std::uint8_t { kStored, kZstd };

// A compressed column occupies at least this part of its raw size, so that a small file cannot ask for much memory.
inline constexpr std::size_t kMaxRatio = 64;

inline constexpr unsigned kMaxVarint32 = 5;
inline constexpr unsigned kMaxVarint64 = 10;
inline constexpr unsigned kMaxVarint128 = 19;

// XXH3-64 with seed 0.
std::uint64_t checksum(std::span<const std::uint8_t> bytes);

}  // namespace bursar::profile
