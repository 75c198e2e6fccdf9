// The viewer's page as Vite built it from viewer/; the build puts it here.
#pragma once

#include <string_view>

namespace bursar::cli {

std::string_view viewer_html();

}  // namespace bursar::cli
