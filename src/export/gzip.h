// gzip: compressed bytes, as pprof's files are.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "export/sink.h"

namespace bursar::exports {

bool is_gzip(std::string_view bytes);

// False if the sink refused.
bool write_gzip(std::string_view bytes, const Sink& sink);

// Fails on bytes that are damaged, and on more than `limit` when unpacked.
base::Result<std::string> read_gzip(std::string_view bytes, std::size_t limit);

}  // namespace bursar::exports
