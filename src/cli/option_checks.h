// What the value of an option may be, with an answer in words if it is not.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace bursar::cli {

CLI::Validator percentage();
// 10 or 10%; may be above 100. Takes the sign off.
CLI::Validator growth_limit();
CLI::Validator positive_number();
// Of runs to be compared with each other: 2 to 100.
CLI::Validator repetitions();
// More than 0, and no more than a million.
CLI::Validator factor();
// Of a trace, from 64K on.
CLI::Validator trace_size();
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace bursar::cli
