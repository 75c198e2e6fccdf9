#include "profile/file_layout.h"

#include <xxhash.h>

namespace bursar::profile {

std::uint64_t checksum(std::span<const std::uint8_t> bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

}  // namespace bursar::profile
