// Verb: one word of the command. To add one: a file that defines it, a row in the table of command.cpp, a golden case.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command.h"
#include "cli/output.h"

namespace bursar::cli {

// How a verb ended. Most only say whether it worked; one that runs a program passes on that program's exit status.
struct Ending {
  Ending(const base::Status& status)  // NOLINT(google-explicit-constructor)
      : exit_status(static_cast<int>(status ? ExitStatus::kOk : ExitStatus::kFailed)),
        message(status ? "" : status.error().message) {}
  Ending(ExitStatus status, std::string why) : exit_status(static_cast<int>(status)), message(std::move(why)) {}
  explicit Ending(int status) : exit_status(status) {}

  int exit_status;
  std::string message;  // what is left to say, if anything
};

// What a verb does once its options are parsed. Results go to `out`, everything else to stderr.
using Action = std::function<Ending(Output& out)>;

// The words behind "--", as they are.
using Program = std::vector<std::string>;

struct Verb {
  std::string_view name;
  std::string_view summary;   // one line
  std::string_view examples;  // lines of "command<two or more blanks>what it does"; --help starts with them
  Action (*declare)(CLI::App& options) = nullptr;
  // Instead of `declare`, for a verb that runs a program.
  Action (*declare_with_program)(CLI::App& options, Program program) = nullptr;
  bool program_optional = false;  // it has something else to do without one
  std::string_view notes = {};    // the end of --help, in place of the usual exit status
};

extern const Verb kRecordVerb;
extern const Verb kAttachVerb;
extern const Verb kReportVerb;
extern const Verb kTreeVerb;
extern const Verb kPathsVerb;
extern const Verb kQueryVerb;
extern const Verb kViewVerb;
extern const Verb kCompareVerb;
extern const Verb kSimulateVerb;
extern const Verb kDiffVerb;
extern const Verb kAdviseVerb;
extern const Verb kMergeVerb;
extern const Verb kExportVerb;
extern const Verb kImportVerb;
extern const Verb kValidateVerb;
extern const Verb kEvaluateVerb;

}  // namespace bursar::cli
