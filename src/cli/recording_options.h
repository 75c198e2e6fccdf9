// What `record` and `attach` let the user say about a recording.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/agent_options.h"

namespace bursar::cli {

inline constexpr const char* kExactMode = "exact";
inline constexpr const char* kSampleMode = "sample";
inline constexpr const char* kTraceMode = "trace";

struct RecordingOptions {
  bool call_sites = false;
  std::uint32_t max_contexts = 0;  // 0: not given
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::string interval;  // empty: not given
  std::uint64_t seed = 0;

  // Without what is not about the recording itself: output, status, command.
  AgentOptions to_agent(const std::string& mode) const;
};

// Must outlive the parsing.
void declare_recording_options(CLI::App& app, RecordingOptions& options);

}  // namespace bursar::cli
