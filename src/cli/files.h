// The files a verb reads and writes.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/output.h"
#include "profile/profile.h"

namespace bursar::cli {

base::Result<profile::Profile> read_profile(const std::string& path);

// For verbs that show stacks: a profile without contexts gets some (analysis/edge_contexts.h), and it is said.
base::Result<profile::Profile> read_stacks(const std::string& path);

// What to say of a profile that has no number for a verb that shows calls.
base::Error nothing_counted(const std::string& path, const profile::Profile& profile);

// The whole of a file, or of stdin for "-".
base::Result<std::string> read_text(const std::string& path);

// Where a verb writes a file: to a temporary name beside it, renamed when all is written, so that `path` holds the old
// file or the new one, never a part of one. An existing file stays as it is unless `force`; a file in `inputs` stays as
// it is in any case. Devices and pipes are written to directly.
struct Target {
  std::string path;
  bool force = false;
  std::vector<std::string> inputs = {};
};

// Would refuse now what write_target() would refuse later: to be asked before long work.
base::Status check_target(const Target& target);
base::Status write_target(const Target& target, const std::function<void(Output&)>& write);
base::Status write_profile(const Target& target, const profile::Profile& profile);

}  // namespace bursar::cli
