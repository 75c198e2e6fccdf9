// Running the program behind "--", for verbs whose exit status is the program's own.
#pragma once

#include <optional>
#include <string>

#include "cli/launch_plan.h"
#include "cli/program_linux.h"
#include "cli/verb.h"

namespace bursar::cli {

struct FoundProgram {
  std::string path;
  bool java = false;
  std::optional<Ending> problem = {};  // it cannot be run, or is a java that Bursar does not know
};

FoundProgram look_up_program(const std::string& name);

struct LaunchedProgram {
  ProgramEnd end;
  std::optional<Ending> problem = {};  // it did not even start
};

// Says on stderr, unless `quiet`, if the JVMs are told through the environment. Ignores broken pipes from its end on:
// the exit status is worth more than a word to a reader that went away.
LaunchedProgram launch(const FoundProgram& program, const std::string& name, const LaunchPlan& plan, bool quiet);

}  // namespace bursar::cli
