#include "cli/record_summary.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>

#include "cli/agent_options.h"
#include "cli/command.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

// "signal 9 (SIGKILL)"
std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("signal {} (SIG{})", signal, name);
}

}  // namespace

std::string saved_amount(const AgentStatus& status, bool estimated) {
  if (status.paths != 0) return counted(status.paths, "path");
  if (status.path_samples != 0) return counted(status.path_samples, "sample") + " of paths";
  const std::string amount = status.has_samples ? counted(status.samples, "sample") : counted(status.calls, "call");
  if (status.edges != 0) return fmt::format("{} of {}", amount, counted(status.edges, "call edge"));
  return fmt::format("{}{} in {}", estimated ? "about " : "", amount, counted(status.contexts, "context"));
}

namespace {

std::string saved_line(const RecordedRun& run) {
  const AgentStatus& status = run.status;
  const std::string what = run.traced ? counted(status.events, "event") : saved_amount(status, run.estimated);
  if (status.saved > 1) {
    return fmt::format("{} of {} → {}", what, counted(status.saved, "JVM"), printable(run.output));
  }
  // The agent knows what became of %p.
  const bool named = run.output.find("%p") != std::string::npos && status.outputs.size() == 1;
  const std::string file = printable(shell_quoted(named ? status.outputs.front() : run.output));
  return fmt::format("{} → {} (bursar {} {}{})", what, file,
                     run.traced      ? "simulate"
                     : run.has_paths ? "paths"
                                     : "report",
                     file, run.traced ? " --scheme adaptive" : "");
}

// What runs once, at a start, most bursts do not meet.
constexpr double kShortRunSeconds = 5;

// Why no agent said anything.
std::string silence(const RecordedRun& run) {
  const std::string crash =
      run.crash_report.empty() ? "" : fmt::format("; the JVM crashed, {} tells more", printable(run.crash_report));
  if (run.end.signal != 0) {
    return fmt::format("nothing was saved: {} ended the program before it could save{}", signal_text(run.end.signal),
                       crash);
  }
  const int status = run.end.exit_status;
  const std::string exited = fmt::format("the program ended with exit status {}", status);
  if (!crash.empty()) return fmt::format("nothing was saved: {}{}", exited, crash);
  if (status > kSignalBase && sigabbrev_np(status - kSignalBase) != nullptr) {
    return fmt::format("nothing was saved: {}, as if {} had ended it before it could save", exited,
                       signal_text(status - kSignalBase));
  }
  if (run.through_environment) {
    return fmt::format(
        "nothing was saved: {}, and no JVM that reads JAVA_TOOL_OPTIONS came to its end; did it start java?", exited);
  }
  return fmt::format("nothing was saved: {}; its JVM did not start, or could not load the agent, or ended abruptly",
                     exited);
}

}  // namespace

RecordSummary summarise(const RecordedRun& run) {
  RecordSummary summary;
  const AgentStatus& status = run.status;
  const bool one_name = run.output.find("%p") == std::string::npos;
  const bool overwritten = status.saved > 1 && one_name;
  if (overwritten) {
    summary.failures.push_back(
        fmt::format("{} wrote {}, which holds the last one only", counted(status.saved, "JVM"), printable(run.output)));
  } else if (status.saved > 0) {
    summary.successes.push_back(saved_line(run));
    if (run.estimated && run.seconds < kShortRunSeconds) {
      summary.successes.push_back(
          fmt::format("estimates of a run of {:.1f} s are rough; --mode exact counts every call", run.seconds));
    }
  }
  for (const std::string& note : status.notes) summary.failures.push_back(printable(note));
  for (const std::string& error : status.errors) {
    summary.failures.push_back(
        fmt::format("{}: {}", status.saved > 0 ? "a profile was not saved" : "nothing was saved", printable(error)));
  }
  if (one_name && status.saved + status.errors.size() > 1) {
    summary.failures.emplace_back("more than one JVM ran; %p in the name of the output gives each a file of its own");
  }
  if (status.silent()) {
    summary.failures.push_back(silence(run));
  } else if (run.end.signal != 0) {
    summary.failures.push_back(fmt::format("{} ended the program", signal_text(run.end.signal)));
  }
  const bool lost = status.silent() || overwritten || !status.errors.empty();
  const int program = exit_status_of(run.end);
  summary.exit_status = program == 0 && lost ? static_cast<int>(ExitStatus::kFailed) : program;
  return summary;
}

}  // namespace bursar::cli
