// Base64 (RFC 4648, with padding), written piece by piece.
#pragma once

#include <cstdint>
#include <span>

#include "export/sink.h"

namespace bursar::exports {

// False if the sink refused.
bool write_base64(std::span<const std::uint8_t> bytes, const Sink& sink);

}  // namespace bursar::exports
