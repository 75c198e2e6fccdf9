// How a record begins: kind (1 byte), length of what follows (4) and its checksum (8, XXH3), little-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace bursar::trace {

inline constexpr std::array<std::uint8_t, 8> kMagic = {'B', 'U', 'R', 'S', 'T', 'R', 'C', '\n'};
inline constexpr std::size_t kFileHead = kMagic.size() + 4;
inline constexpr std::size_t kRecordHead = 1 + 4 + 8;
inline constexpr std::uint32_t kMaxRecord = 64 << 20;

}  // namespace bursar::trace
