// Verb: one word of the command. To add one: a file that defines it, a row in the table of command.cpp, a golden case.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string_view>

#include "base/result.h"
#include "cli/output.h"

namespace bursar::cli {

// What a verb does once its options are parsed. Results go to `out`, everything else to stderr.
using Action = std::function<base::Status(Output& out)>;

struct Verb {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view examples;  // lines of "command<two or more blanks>what it does"; --help starts with them
  Action (*declare)(CLI::App& options);
};

extern const Verb kReportVerb;
extern const Verb kTreeVerb;
extern const Verb kCompareVerb;
extern const Verb kMergeVerb;
extern const Verb kExportVerb;
extern const Verb kImportVerb;
extern const Verb kValidateVerb;

}  // namespace bursar::cli
