// Where the agent is: libbursar.so beside the command (a build folder), in ../lib (installed), or where BURSAR_AGENT
// says.
#pragma once

#include <string>

#include "base/result.h"

namespace bursar::cli {

// `override` is the value of BURSAR_AGENT, or null.
base::Result<std::string> find_agent(const std::string& command_folder, const char* override);

// The folder of the running command, behind symbolic links.
std::string own_folder();

}  // namespace bursar::cli
