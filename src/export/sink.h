// Sink: where an exporter sends its bytes, piece by piece, so that output larger than memory is no problem.
#pragma once

#include <functional>
#include <string_view>

namespace bursar::exports {

// False means: stop, nobody reads any more. Whoever made the sink knows why.
using Sink = std::function<bool(std::string_view)>;

}  // namespace bursar::exports
