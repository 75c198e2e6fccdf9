#include "cli/profile_output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/files.h"
#include "cli/text.h"

namespace bursar::cli {

namespace fs = std::filesystem;

std::string absolute_output(const std::string& output) {
  std::error_code failure;
  const fs::path resolved = fs::canonical(output, failure);
  return failure ? fs::absolute(output, failure).string() : resolved.string();
}

base::Status check_output(const std::string& output, bool force) {
  if (output.empty()) return base::Error{"the name of the output is empty"};
  if (const base::Status allowed = check_target({.path = output, .force = force}); !allowed) {
    return allowed;
  }
  std::error_code failure;
  const fs::file_status there = fs::status(output, failure);
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    return base::Error{fmt::format("{} is not a regular file", printable(output))};
  }
  std::string trial = absolute_output(output) + ".XXXXXX";
  const int descriptor = mkostemp(trial.data(), O_CLOEXEC);
  if (descriptor < 0) {
    return base::Error{fmt::format("cannot write {}: {}", printable(output), std::strerror(errno))};
  }
  close(descriptor);
  unlink(trial.c_str());
  return base::Done{};
}

}  // namespace bursar::cli
