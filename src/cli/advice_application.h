// Advice put to use: a program that runs with its directives, and a JVM that runs already and takes them.
#pragma once

#include <sys/types.h>

#include "cli/advice.h"
#include "cli/verb.h"

namespace bursar::cli {

// The exit status is the program's own. Without any directive it just runs.
Ending run_with_advice(const Advice& advice, const Program& program, bool quiet);

// Adds the directives and has what they name compiled anew: our agent retransforms the classes of the compiled methods,
// upon which HotSpot throws their code away.
base::Status apply_to_process(const Advice& advice, pid_t process, bool quiet);

}  // namespace bursar::cli
