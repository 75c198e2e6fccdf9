// JavaRelease: what the file `release` of a Java installation says about its JVM.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace bursar::cli {

inline constexpr int kOldestJava = 17;
inline constexpr int kNewestJava = 25;

struct JavaRelease {
  std::string version;  // 17.0.9, 1.8.0_392; empty if the file does not say
  std::string vendor;
  std::string variant;  // of the JVM: Hotspot, Openj9; most files do not say

  // 0 if unknown.
  int major() const;
};

JavaRelease parse_release(std::string_view text);

// Why the JVM cannot be profiled, as the end of a sentence that begins with its name; empty if nothing speaks against
// it.
std::string unsupported(const JavaRelease& release, bool has_server_jvm);

// Judges the installation that `java`, a path without symbolic links, belongs to. What has no `release` file may be a
// wrapper around anything: it passes, and the agent judges.
base::Status check_java(const std::string& java);

}  // namespace bursar::cli
