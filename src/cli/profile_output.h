// The file that the agent will write: checked before the program runs.
#pragma once

#include <string>

#include "base/result.h"

namespace bursar::cli {

// The output as the agent will open it, whatever folder the program goes to; links stay, what they lead to is replaced.
std::string absolute_output(const std::string& output);

// Finds out now what would make the agent fail once the program has run.
base::Status check_output(const std::string& output, bool force);

}  // namespace bursar::cli
