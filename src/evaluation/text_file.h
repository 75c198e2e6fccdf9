// Whole text files, as far as an evaluation needs them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace bursar::evaluation {

// What the operating system said last, errno, about doing `action` to `path`.
base::Error system_error(std::string_view action, const std::string& path);

base::Result<std::string> read_text(const std::string& path);

// Under a temporary name, then renamed: `path` holds the old text or the new one, never a part of one.
base::Status write_text(const std::string& path, std::string_view text);

std::vector<std::string> lines_of(std::string_view text);

// The last lines that are not empty, joined; nothing if the file cannot be read.
std::string last_lines(const std::string& path, std::size_t count);

}  // namespace bursar::evaluation
