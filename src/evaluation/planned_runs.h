// PlannedRuns: makes the runs of a plan, one after the other, and keeps what came out of each.
//
// A run that fails (crashes, hangs, computes something else, leaves no profile) is kept with its reason, and the others
// go on. Owns the truth of the workload at hand.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evaluation/config.h"
#include "evaluation/plan.h"
#include "evaluation/process_linux.h"
#include "evaluation/results_file.h"
#include "profile/profile.h"

namespace bursar::evaluation {

// The java command of a workload: what its script prints; or the user's own program.
base::Result<std::vector<std::string>> java_command(const Config& config, const std::string& workload,
                                                    const std::vector<std::string>& jvm_options,
                                                    std::uint32_t iterations, AwaitedSignals& signals);

// Told what happens, for people who wait.
struct Observer {
  // `position` of `count`; seconds for the rest, 0 if not known.
  std::function<void(const Step& step, std::size_t position, std::size_t count, double seconds_left)> starting;
  std::function<void(const Step& step, const std::string& failure)> failed;
  std::function<void()> idle;  // nothing runs now
};

class PlannedRuns {
 public:
  PlannedRuns(const Config& config, AwaitedSignals& signals, ResultsFile& results)
      : config_(config), signals_(signals), results_(results) {}

  enum class End : std::uint8_t { kDone, kInterrupted };
  // Fails only where going on makes no sense: results cannot be written.
  base::Result<End> run_all(const Observer& observer);

 private:
  // The row, or nothing if it was interrupted.
  std::optional<Json> run(const Step& step);
  // Each fills the row; the error is why the run does not count.
  base::Status run_alone(const Step& step, Json& row);
  // With advice, or alone where it is the baseline: what the optimizing compiler made.
  base::Status compile(const Step& step, Json& row);
  base::Status simulate(const Step& step, Json& row);
  base::Status judge(const Step& step, Json& row);
  // With the runs of the same profiler before it, whose profiles are there.
  base::Status compare_with_others(const Step& step, const profile::Profile& profile, Json& row);
  // By `bursar record`, which leaves `output`.
  base::Status record(const Step& step, const std::string& output, const std::vector<std::string>& more, Json& row);
  base::Result<profile::Profile> record_peer(const Step& step, const std::string& output, Json& row);
  // `java`: the launcher.
  base::Status run_program(const Step& step, const std::string& java, std::vector<std::string> words, Json& row);
  base::Status check_checksum(const Step& step, const std::string& java, const std::string& checksum);
  base::Result<const profile::Profile*> truth_of(const std::string& workload);

  const Config& config_;
  AwaitedSignals& signals_;
  ResultsFile& results_;
  std::string truth_workload_;
  profile::Profile truth_;
};

}  // namespace bursar::evaluation
