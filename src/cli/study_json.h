// A study of a trace as JSON: what `bursar simulate --json` prints, and `bursar evaluate` keeps.
#pragma once

#include <nlohmann/json.hpp>

#include "cli/trace_study.h"

namespace bursar::cli {

nlohmann::ordered_json study_json(const Study& study, const StudyPlan& plan);

}  // namespace bursar::cli
