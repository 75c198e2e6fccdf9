// What `record` and `attach` let the user say about a recording.
#pragma once

#include <CLI/App.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/agent_options.h"

namespace bursar::cli {

inline constexpr const char* kAdaptiveMode = "adaptive";
inline constexpr const char* kBurstMode = "burst";
inline constexpr const char* kExactMode = "exact";
inline constexpr const char* kSampleMode = "sample";
inline constexpr const char* kTraceMode = "trace";
inline constexpr const char* kPathsMode = "paths";
inline constexpr const char* kExactPathsMode = "exact-paths";
inline constexpr const char* kCbsMode = "cbs";

// Of paths within methods, not of calls: there are no contexts.
inline bool records_paths(const std::string& mode) {
  return mode == kExactPathsMode || mode == kPathsMode;
}

struct RecordingOptions {
  bool call_sites = false;
  std::uint32_t max_contexts = 0;  // 0: not given
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  std::map<std::string, std::string> scheme;  // interval, burst-length … as far as they were given

  // Without what is not about the recording itself: output, status, command.
  AgentOptions to_agent(const std::string& mode) const;
};

// Mode paths: these options ask for samples at ticks, and not for bursts.
bool samples_at_ticks(const RecordingOptions& options);
// What was given though the mode has no use for it; empty if there is nothing.
std::string misplaced_scheme_option(const RecordingOptions& options, const std::string& mode);

// Of mode sample: a time from 0.1ms to 10s.
CLI::Validator sampling_interval();

// Those that one of the modes has a use for. `options` must outlive the parsing.
void declare_recording_options(CLI::App& app, RecordingOptions& options, const std::vector<std::string>& modes);

}  // namespace bursar::cli
