// One line for `record` or `attach`, which read the file when the agent has done its work, or for a person.
#pragma once

#include <string>

namespace bursar::agent {

// Appends key=text to the file, which is there. If it is not, only errors are said, on stderr.
// Runs in: any thread that may block
void tell(const std::string& status_path, const char* key, const std::string& text);

}  // namespace bursar::agent
