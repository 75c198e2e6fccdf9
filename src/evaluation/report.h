// The report: an evaluation as one HTML page that needs nothing else, neither network nor other files.
//
// report.html is the page, with a script that draws; this puts the evaluation's JSON into it.
#pragma once

#include <string>

#include "evaluation/json.h"

namespace bursar::evaluation {

std::string report_page(const Json& evaluation);

}  // namespace bursar::evaluation
