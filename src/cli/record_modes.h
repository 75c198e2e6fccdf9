// The modes of `bursar record`: the one list of them, for every verb that takes or runs one.
#pragma once

#include <string>
#include <vector>

namespace bursar::cli {

struct RecordMode {
  std::string name;
  bool counts_calls = true;  // its profile can be held against one of mode exact
  std::string from_start{};  // why it cannot begin in a JVM that runs already; empty if it can
};

const std::vector<RecordMode>& record_modes();
std::vector<std::string> record_mode_names();

}  // namespace bursar::cli
