#include "cli/agent_status.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "cli/text.h"

namespace bursar::cli {

namespace {

std::uint64_t number_in(std::string_view text) {
  std::uint64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

AgentStatus parse_agent_status(std::string_view text) {
  AgentStatus status;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos) continue;
    const std::string_view key = line.substr(0, equals);
    const std::string_view value = line.substr(equals + 1);
    if (key == "saved" && value != "0") ++status.saved;
    if (key == "saved" && value.starts_with('/')) status.outputs.emplace_back(value);
    if (key == "calls") status.calls += number_in(value);
    if (key == "samples") {
      status.has_samples = true;
      status.samples += number_in(value);
    }
    if (key == "paths") status.paths += number_in(value);
    if (key == "path_samples") status.path_samples += number_in(value);
    if (key == "recording") status.recording = value;
    if (key == "output") status.output = value;
    if (key == "duration_ns") status.duration_ns = number_in(value);
    if (key == "edges") status.edges += number_in(value);
    if (key == "contexts") status.contexts += number_in(value);
    if (key == "events") status.events += number_in(value);
    if (key == "note") status.notes.emplace_back(value);
    if (key == "error") status.errors.emplace_back(value);
  }
  return status;
}

base::Result<AgentStatusFile> AgentStatusFile::create() {
  const char* folder = std::getenv("TMPDIR");
  // Absolute, because the program may go to another folder before its JVM reads the name.
  std::error_code failure;
  std::filesystem::path absolute =
      std::filesystem::absolute(folder != nullptr && *folder != 0 ? folder : "/tmp", failure);
  std::string path = (absolute / "bursar-status-XXXXXX").string();
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) {
    return base::Error{fmt::format("cannot create a temporary file in {}: {}; TMPDIR names another folder",
                                   printable(absolute.string()), std::strerror(errno))};
  }
  close(descriptor);
  return AgentStatusFile(std::move(path));
}

AgentStatusFile::~AgentStatusFile() {
  if (!path_.empty()) unlink(path_.c_str());
}

}  // namespace bursar::cli
