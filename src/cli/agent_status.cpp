#include "cli/agent_status.h"

#include <algorithm>
#include <charconv>

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
    if (key == "recompiled") status.recompiled += number_in(value);
    if (key == "error") status.errors.emplace_back(value);
  }
  return status;
}

}  // namespace bursar::cli
