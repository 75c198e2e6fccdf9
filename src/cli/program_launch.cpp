#include "cli/program_launch.h"

#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "cli/agent_options.h"
#include "cli/java_release.h"
#include "cli/message.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

Ending cannot_run(const std::string& name, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return {missing ? ExitStatus::kProgramNotFound : ExitStatus::kCannotRun,
          fmt::format("cannot run {}: {}", printable(shell_quoted(name)),
                      missing ? "no such program" : std::strerror(error))};
}

}  // namespace

FoundProgram look_up_program(const std::string& name) {
  const ProgramFile file = find_program(name);
  FoundProgram found{.path = file.path};
  if (file.error != 0) {
    found.problem = cannot_run(name, file.error);
    return found;
  }
  std::error_code failure;
  const std::string real_path = std::filesystem::canonical(file.path, failure).string();
  found.java = is_java(name, real_path);
  if (found.java) {
    if (const base::Status suited = check_java(real_path); !suited) found.problem = suited;
  }
  return found;
}

LaunchedProgram launch(const FoundProgram& program, const std::string& name, const LaunchPlan& plan, bool quiet) {
  if (plan.through_environment && !quiet) {
    say(fmt::format("{} is not java: its JVMs are told through JAVA_TOOL_OPTIONS, and print a line about it",
                    printable(shell_quoted(name))));
  }
  LaunchedProgram launched{.end = run_program(program.path, plan.arguments, plan.environment)};
  std::signal(SIGPIPE, SIG_IGN);
  if (launched.end.start_error == ENOENT) {
    launched.problem = Ending{
        ExitStatus::kCannotRun,
        fmt::format("cannot run {}: the interpreter in its first line is missing", printable(shell_quoted(name)))};
  } else if (launched.end.start_error != 0) {
    launched.problem = cannot_run(name, launched.end.start_error);
  }
  return launched;
}

}  // namespace bursar::cli
