#include "evaluation/evaluate.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

#include "evaluation/process_linux.h"
#include "evaluation/program_slowdowns.h"
#include "evaluation/report.h"
#include "evaluation/results_file.h"
#include "evaluation/slowdown_runs.h"
#include "evaluation/summary.h"
#include "evaluation/text_file.h"

namespace bursar::evaluation {

namespace {

namespace fs = std::filesystem;

// The folders of an evaluation. That for files of the run at hand is removed at the end.
class Folders {
 public:
  explicit Folders(const Config& config) : scratch_(config.scratch("")) {
    for (const std::string& folder : {scratch_, config.folder + "/profiles"}) {
      if (!failure_) fs::create_directories(folder, failure_);
    }
  }
  ~Folders() {
    std::error_code ignored;
    fs::remove_all(scratch_, ignored);
  }
  Folders(const Folders&) = delete;
  Folders& operator=(const Folders&) = delete;

  const std::error_code& failure() const { return failure_; }

 private:
  std::string scratch_;
  std::error_code failure_;
};

bool measures_workloads(const Config& config) {
  return config.slowdown && !config.judges_program();
}

// The launcher that the workloads start with, once all that is to be started is known to be there: no hours of work
// before the first complaint.
base::Result<std::string> find_java(const Config& config, AwaitedSignals& signals) {
  const std::string slowdown = config.workloads.slowdown_command();
  if (std::error_code failure; measures_workloads(config) && !fs::exists(slowdown, failure)) {
    return base::Error{fmt::format("no {}, which measures slowdowns; --only accuracy does without", slowdown)};
  }
  std::string java;
  for (const std::string& name : config.names) {
    const auto command = java_command(config, name, {}, config.iterations, signals);
    if (!command) return command.error();
    java = command->front();
  }
  return java;
}

// Whether somebody stopped it.
base::Result<bool> measure(const Config& config, AwaitedSignals& signals, ResultsFile& results,
                           const Observer& observer) {
  const auto end = PlannedRuns(config, signals, results).run_all(observer);
  observer.idle();
  if (!end) return end.error();
  if (*end == PlannedRuns::End::kInterrupted) return true;
  if (!measures_workloads(config)) return false;
  const SlowdownEnd slowdown = run_slowdowns(config, signals);
  if (!slowdown.problem.empty()) return base::Error{slowdown.problem};
  return slowdown.interrupted;
}

}  // namespace

base::Result<Outcome> evaluate(const Config& config, const Observer& observer) {
  AwaitedSignals signals;
  const Folders folders(config);
  if (folders.failure()) {
    return base::Error{fmt::format("cannot make the folder {}: {}", config.folder, folders.failure().message())};
  }
  const auto java = find_java(config, signals);
  if (!java) return java.error();
  const Json settings = settings_of(config, *java);
  auto results = ResultsFile::open(config.folder + "/runs.jsonl", settings);
  if (!results) return results.error();
  const auto interrupted = measure(config, signals, *results, observer);
  if (!interrupted) return interrupted.error();
  auto slowdown = config.judges_program() ? program_slowdowns(results->rows(), config.profilers())
                                          : read_slowdowns(config, signals);
  if (!slowdown) return slowdown.error();
  Outcome outcome{
      .evaluation = summarise({.settings = settings, .rows = results->rows(), .slowdown = std::move(*slowdown)},
                              config.names, config.profilers()),
      .interrupted = *interrupted};
  const base::Status written = write_text(config.folder + "/report.html", report_page(outcome.evaluation));
  if (!written) return written.error();
  return outcome;
}

}  // namespace bursar::evaluation
