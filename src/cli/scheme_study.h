// What `bursar evaluate` asks of a program's trace: how accurate each scheme is and how soon (paper 000, figures 5, 8
// and 11), and how much that depends on what adaptive bursting is told (figure 9).
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "evaluation/json.h"

namespace bursar::cli {

// As `bursar simulate --json` has it, with every scheme's usual options and their accuracy over time among the
// variants, and under sweep the variants of adaptive bursting.
base::Result<evaluation::Json> study_schemes(const std::string& trace, const std::function<bool()>& stop);

}  // namespace bursar::cli
