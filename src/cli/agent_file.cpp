#include "cli/agent_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/text.h"

namespace bursar::cli {

namespace fs = std::filesystem;

namespace {

base::Result<std::string> usable(const fs::path& path) {
  std::error_code failure;
  const std::string absolute = fs::absolute(path, failure).lexically_normal().string();
  if (access(absolute.c_str(), R_OK) != 0) {
    return base::Error{fmt::format("cannot read the agent {}: {}", printable(absolute), std::strerror(errno))};
  }
  // -agentpath:FILE=OPTIONS ends at the first one.
  if (absolute.find('=') != std::string::npos) {
    return base::Error{
        fmt::format("a JVM cannot load {}, whose name holds \"=\"; put Bursar elsewhere", printable(absolute))};
  }
  return absolute;
}

}  // namespace

base::Result<std::string> find_agent(const std::string& command_folder, const char* override) {
  if (override != nullptr && *override != 0) return usable(override);
  std::error_code failure;
  for (const char* place : {"libbursar.so", "../lib/libbursar.so"}) {
    const fs::path path = fs::path(command_folder) / place;
    if (fs::exists(path, failure)) return usable(path);
  }
  return base::Error{
      fmt::format("the agent libbursar.so is neither in {} nor in ../lib beside it; BURSAR_AGENT can name it",
                  printable(command_folder))};
}

std::string own_folder() {
  std::error_code failure;
  return fs::read_symlink("/proc/self/exe", failure).parent_path().string();
}

}  // namespace bursar::cli
