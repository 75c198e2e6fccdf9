// The command `bursar`: finds the verb, hands it its options, turns what comes back into messages and an exit status.
#pragma once

namespace bursar::cli {

// Documented in --help. A verb that runs a program otherwise ends with that program's own.
enum class ExitStatus : int {
  kOk = 0,
  kFailed = 1,             // a file that cannot be read or is not valid, an output that exists, a full disk …
  kUsage = 2,              // unknown verb or option, a value out of range
  kTooMuch = 3,            // diff: something grew by more than is allowed
  kCannotRun = 126,        // the program is there and cannot be run
  kProgramNotFound = 127,  // as shells say it
};

// The whole program but for main(): returns the exit status.
int run(int argc, char** argv);

}  // namespace bursar::cli
