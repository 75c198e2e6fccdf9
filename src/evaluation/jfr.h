// The JDK's flight recorder as a peer: how a JVM is told to record itself, and its execution samples as folded stacks.
//
// Samples come from the JDK's own `jfr print --json --events jdk.ExecutionSample`: its plain text would be a thirtieth
// of that, but leaves out the frames of hidden classes, lambdas among them, and then no context below would match. A
// stack that was cut at its root (deeper than the recorder keeps) goes below a frame [truncated]: where it belongs
// nobody knows.
#pragma once

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

#include "base/result.h"

namespace bursar::evaluation {

// A sample every 10 or 20 ms, as the JDK's own `profile` settings say; stacks as deep as the recorder can keep.
std::vector<std::string> jfr_jvm_options(const std::string& recording);

// `java`: the JVM's launcher, beside which `jfr` lies.
std::vector<std::string> jfr_print_command(const std::string& java, const std::string& recording);

struct JfrStacks {
  std::string folded;  // export/folded.h; empty if there was no sample
  std::uint64_t samples = 0;
  std::uint64_t truncated = 0;  // of them
};

// Memory is in proportion to different stacks, not to samples.
base::Result<JfrStacks> fold_jfr(std::istream& json);

}  // namespace bursar::evaluation
