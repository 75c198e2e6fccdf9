// The text of --help: examples first, then usage, options and exit status.
#pragma once

#include <CLI/App.hpp>
#include <span>
#include <string>

#include "cli/verb.h"

namespace bursar::cli {

std::string command_help(std::span<const Verb* const> verbs);

// Makes `options` print its help in our order.
void use_help(CLI::App& options, const Verb& verb);

}  // namespace bursar::cli
