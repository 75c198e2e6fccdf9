// How a recording of any mode ends: its numbers become a profile, the profile a file.
#pragma once

#include <cstdint>
#include <string>

#include "profile/profile.h"

namespace bursar::agent {

struct SavedProfile {
  std::string error;  // empty: saved
  std::string path;
  std::uint64_t contexts = 0;
  std::uint64_t edges = 0;  // of profiles that have no contexts
  std::uint64_t total = 0;  // of the first metric: calls, samples; of paths if there is none
};

// What `output` means: %p becomes the process id.
std::string with_process_id(std::string output);

// %p in `output` becomes the process id.
// Runs in: any thread that may block
SavedProfile save_profile(profile::ProfileData data, const std::string& output);

// Says in the status file how it went; `metric` is what the total counts.
void tell_outcome(const std::string& status_path, const SavedProfile& saved, const char* metric);

}  // namespace bursar::agent
