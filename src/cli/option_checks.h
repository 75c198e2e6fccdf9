// What the value of an option may be, with an answer in words if it is not.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace bursar::cli {

CLI::Validator percentage();
CLI::Validator positive_number();
CLI::Validator one_of(std::vector<std::string> words);

}  // namespace bursar::cli
