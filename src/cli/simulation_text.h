// What schemes would have seen of an evaluation's programs, as tables for a terminal.
#pragma once

#include <string>

#include "cli/output.h"
#include "evaluation/json.h"

namespace bursar::cli {

// Empty if nothing was simulated.
std::string simulation_text(const evaluation::Json& evaluation, const Terminal& terminal);

}  // namespace bursar::cli
