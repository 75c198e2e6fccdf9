// What `bursar record` says once the program has ended: what was saved where, or why nothing was.
#pragma once

#include <string>
#include <vector>

#include "cli/agent_status.h"
#include "cli/program_linux.h"

namespace bursar::cli {

struct RecordedRun {
  std::string output;  // as the user named it
  bool through_environment = false;
  bool traced = false;
  bool has_paths = false;  // for `bursar paths`
  bool estimated = false;  // what was saved, from bursts
  double seconds = 0;      // that the program ran for
  ProgramEnd end;
  AgentStatus status;
  std::string crash_report;  // of the JVM, if it wrote one
};

struct RecordSummary {
  std::vector<std::string> successes;  // lines that --quiet leaves out
  std::vector<std::string> failures;
  int exit_status = 0;
};

// The exit status is the program's own, 128 + N if signal N ended it; 1 if that would be 0 and a profile is missing.
RecordSummary summarise(const RecordedRun& run);

// "1,234 calls in 56 contexts", or samples; "1,234 paths"; "about 1,200 calls in 56 contexts" of an estimate
std::string saved_amount(const AgentStatus& status, bool estimated = false);

}  // namespace bursar::cli
