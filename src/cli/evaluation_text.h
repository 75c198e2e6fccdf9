// An evaluation as tables for a terminal.
#pragma once

#include <string>

#include "cli/output.h"
#include "evaluation/json.h"

namespace bursar::cli {

std::string evaluation_text(const evaluation::Json& evaluation, const Terminal& terminal);

}  // namespace bursar::cli
