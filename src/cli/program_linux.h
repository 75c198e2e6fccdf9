// Running somebody's program as if the shell had started it: same terminal, process group, signals, files.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace bursar::cli {

// A program as a shell finds it: a name with a slash as it is, another one along PATH.
struct ProgramFile {
  std::string path;
  int error = 0;  // errno if there is none, or none that may be run
};

ProgramFile find_program(const std::string& name);

struct ProgramEnd {
  int start_error = 0;  // errno if it did not even start
  pid_t process = 0;
  int exit_status = 0;  // if no signal ended it
  int signal = 0;
};

// As a shell says it: the program's own, or 128 + N if signal N ended it.
inline constexpr int kSignalBase = 128;
int exit_status_of(const ProgramEnd& end);

// Starts it and waits for its end. Meanwhile signals that a process sends to us go on to the program; those that a
// terminal sends reach it anyway, and do not end us. Signal dispositions and mask of the program are those we were
// started with. Not to be called while other threads run.
ProgramEnd run_program(const std::string& path, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment);

std::vector<std::string> own_environment();

}  // namespace bursar::cli
