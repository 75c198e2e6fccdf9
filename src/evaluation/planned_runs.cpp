#include "evaluation/planned_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "evaluation/accuracy.h"
#include "evaluation/compilation_log.h"
#include "evaluation/harness_output.h"
#include "evaluation/jfr.h"
#include "evaluation/repetition.h"
#include "evaluation/sampling_facts.h"
#include "evaluation/studies.h"
#include "evaluation/text_file.h"
#include "evaluation/variant.h"
#include "export/folded.h"
#include "profile/profile_file.h"

namespace bursar::evaluation {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMessageLines = 15;

bool exists(const std::string& path) {
  std::error_code failure;
  return fs::exists(path, failure);
}

}  // namespace

base::Result<std::vector<std::string>> java_command(const Config& config, const std::string& workload,
                                                    const std::vector<std::string>& jvm_options,
                                                    std::uint32_t iterations, AwaitedSignals& signals) {
  if (config.judges_program()) {
    std::vector<std::string> words = config.program;
    words.insert(words.begin() + 1, jvm_options.begin(), jvm_options.end());
    return words;
  }
  Process print{.words = {config.workloads.run_script(), "--print", workload, std::to_string(iterations), "--"},
                .stdout_file = config.scratch("command"),
                .stderr_file = config.scratch("messages")};
  print.words.insert(print.words.end(), jvm_options.begin(), jvm_options.end());
  if (!config.jdk.empty()) print.environment = {"BENCH_JDK=" + config.jdk};
  const ProcessEnd end = run_process(print, signals);
  if (!end.good()) {
    const std::string said = end.start_error == 0 ? last_lines(print.stderr_file, 1) : "";
    return base::Error{
        fmt::format("cannot run the workload {}: {}", workload, said.empty() ? reason(end, print) : said)};
  }
  const auto words = read_text(print.stdout_file);
  if (!words) return words.error();
  return lines_of(*words);
}

base::Result<PlannedRuns::End> PlannedRuns::run_all(const Observer& observer) {
  const std::vector<Step> steps = planned(config_);
  const auto has_truth = [this](const std::string& workload) { return exists(config_.truth_file(workload)); };
  const std::size_t forgiven = config_.retry_failed ? results_.rows().size() : 0;
  for (;;) {
    const std::vector<Step> left = remaining(steps, results_.rows(), forgiven, has_truth);
    if (left.empty()) return End::kDone;
    if (signals_.asked_to_end()) return End::kInterrupted;
    const Step& step = left.front();
    observer.starting(step, steps.size() - left.size() + 1, steps.size(), seconds_left(left, results_.rows()));
    const std::optional<Json> row = run(step);
    if (!row) return End::kInterrupted;
    if (const base::Status kept = results_.append(*row); !kept) return kept.error();
    if ((*row)["failure"].is_string()) observer.failed(step, (*row)["failure"]);
  }
}

std::optional<Json> PlannedRuns::run(const Step& step) {
  Json row = {{"workload", step.workload}, {"profiler", step.profiler}, {"run", step.run}, {"failure", nullptr}};
  const bool compiles =
      find_advised(step.profiler) != nullptr || (step.profiler == kBaseline && !config_.advised().empty());
  const auto make = compiles                     ? &PlannedRuns::compile
                    : step.profiler == kBaseline ? &PlannedRuns::run_alone
                    : step.profiler == kTrace    ? &PlannedRuns::simulate
                                                 : &PlannedRuns::judge;
  const base::Status made = (this->*make)(step, row);
  if (signals_.asked_to_end()) return std::nullopt;
  if (!made) row["failure"] = made.error().message;
  return row;
}

base::Status PlannedRuns::run_alone(const Step& step, Json& row) {
  const auto java = java_command(config_, step.workload, {}, config_.iterations, signals_);
  if (!java) return java.error();
  return run_program(step, java->front(), *java, row);
}

base::Status PlannedRuns::compile(const Step& step, Json& row) {
  const std::string log = config_.scratch("compilation.log");
  // As long as a run of slowdown: what is compiled late counts too.
  const std::uint32_t iterations = config_.warmup_iterations + config_.iterations;
  const auto java = java_command(config_, step.workload, compilation_log_options(log), iterations, signals_);
  if (!java) return java.error();
  std::vector<std::string> words;
  if (const AdvisedWay* way = find_advised(step.profiler); way != nullptr) {
    words = {config_.bursar, "advise", config_.profile_file(step.workload, way->profile, 1), "--apply", "--quiet"};
    words.insert(words.end(), way->options.begin(), way->options.end());
    words.emplace_back("--");
  }
  words.insert(words.end(), java->begin(), java->end());
  const base::Status ran = run_program(step, java->front(), std::move(words), row);
  std::ifstream lines(log);
  if (ran && !lines) return base::Error{"the JVM left no log of its compilations"};
  if (ran) row["compiled"] = to_json(read_compilation_log(lines));
  std::remove(log.c_str());
  return ran;
}

base::Status PlannedRuns::simulate(const Step& step, Json& row) {
  const std::string trace = config_.scratch("trace");
  const base::Status recorded = record(step, trace, {"--max-size", std::to_string(config_.trace_bytes)}, row);
  auto study = recorded ? config_.study(trace, [this] { return signals_.asked_to_end(); }) : recorded.error();
  std::remove(trace.c_str());
  if (!study) return study.error();
  row["study"] = std::move(*study);
  return base::Done{};
}

base::Status PlannedRuns::judge(const Step& step, Json& row) {
  const std::string output = config_.profile_file(step.workload, step.profiler, step.run);
  const auto recorded = [&]() -> base::Result<profile::Profile> {
    if (config_.is_peer(step.profiler)) return record_peer(step, output, row);
    std::vector<std::string> more;
    if (!config_.interval.empty()) more = {"--interval", config_.interval};
    // The paper's counters are of activations.
    if (config_.repeat > 0 && step.profiler == kSample) more.insert(more.end(), {"--walks", "new"});
    if (const base::Status made = record(step, output, more, row); !made) return made.error();
    return profile::read_file(output);
  };
  auto profile = recorded();
  if (!profile) {
    std::remove(output.c_str());
    return profile.error();
  }
  row["size"] = size_of(*profile);
  row["facts"] = run_facts(*profile);
  if (Json sampling = sampling_facts(*profile); !sampling.is_null()) row["sampling"] = std::move(sampling);
  if (config_.repeat > 0) return compare_with_others(step, *profile, row);
  if (step.is_truth()) {
    truth_workload_ = step.workload;
    truth_ = std::move(*profile);
    return base::Done{};
  }
  const bool is_needed = step.run == 1 && config_.is_advice_source(step.profiler);
  if (!config_.keep_profiles && !is_needed) std::remove(output.c_str());
  const std::vector<std::string> judged = config_.judged();
  const bool is_judged =
      std::find(judged.begin(), judged.end(), step.profiler) != judged.end() || step.profiler == config_.truth();
  const bool without_samples = config_.paths && (*profile)->paths.size() == 0;
  if (!config_.accuracy || !is_judged || without_samples) return base::Done{};
  const auto truth = truth_of(step.workload);
  if (!truth) return truth.error();
  auto accuracy = accuracy_of(**truth, *profile);
  if (!accuracy) return accuracy.error();
  row["accuracy"] = std::move(*accuracy);
  return base::Done{};
}

base::Status PlannedRuns::compare_with_others(const Step& step, const profile::Profile& profile, Json& row) {
  Json& agreement = row["agreement"] = Json::array();
  for (std::uint32_t run = 1; run < step.run; ++run) {
    const auto other = profile::read_file(config_.profile_file(step.workload, step.profiler, run));
    if (!other) return other.error();
    // A seed of its own for each pair, the same at each start.
    auto pair = agreement_of(*other, profile, std::uint64_t{step.run} << 32 | run);
    if (!pair) return pair.error();
    agreement.push_back(std::move(*pair));
  }
  return base::Done{};
}

base::Status PlannedRuns::record(const Step& step, const std::string& output, const std::vector<std::string>& more,
                                 Json& row) {
  const auto java = java_command(config_, step.workload, {}, config_.iterations, signals_);
  if (!java) return java.error();
  std::vector<std::string> words = {config_.bursar, "record", "--quiet", "--force", "-o", output};
  for (const std::vector<std::string>& options : {record_options(step.profiler), more}) {
    words.insert(words.end(), options.begin(), options.end());
  }
  words.emplace_back("--");
  words.insert(words.end(), java->begin(), java->end());
  return run_program(step, java->front(), std::move(words), row);
}

base::Result<profile::Profile> PlannedRuns::record_peer(const Step& step, const std::string& output, Json& row) {
  const std::string recording = config_.scratch("recording.jfr");
  const auto java = java_command(config_, step.workload, jfr_jvm_options(recording), config_.iterations, signals_);
  if (!java) return java.error();
  if (const base::Status ran = run_program(step, java->front(), *java, row); !ran) return ran.error();

  const Process print{.words = jfr_print_command(java->front(), recording),
                      .stdout_file = config_.scratch("recording.json"),
                      .stderr_file = config_.scratch("messages"),
                      .timeout_s = config_.timeout_s};
  const ProcessEnd end = run_process(print, signals_);
  std::remove(recording.c_str());
  if (!end.good()) {
    row["messages"] = last_lines(print.stderr_file, kMessageLines);
    return base::Error{"jfr print: " + reason(end, print)};
  }
  std::ifstream json(print.stdout_file);
  const auto stacks = fold_jfr(json);
  std::remove(print.stdout_file.c_str());
  if (!stacks) return stacks.error();
  if (stacks->samples == 0) return base::Error{"the flight recorder took no sample"};
  row["samples"] = stacks->samples;
  row["truncated_samples"] = stacks->truncated;
  auto profile = exports::import_folded(stacks->folded, profile::kSamples);
  if (profile && (config_.keep_profiles || config_.repeat > 0)) {
    if (const base::Status written = profile::write_file(*profile, output); !written) return written.error();
  }
  return profile;
}

base::Status PlannedRuns::run_program(const Step& step, const std::string& java, std::vector<std::string> words,
                                      Json& row) {
  const Process process{.words = std::move(words),
                        .stdout_file = config_.scratch("output"),
                        .stderr_file = config_.scratch("messages"),
                        .timeout_s = config_.timeout_s};
  const ProcessEnd end = run_process(process, signals_);
  row["seconds"] = end.wall_s;
  row["cpu_s"] = end.cpu_s;
  row["max_rss_kb"] = end.max_rss_kb;
  if (!end.good()) {
    row["messages"] = last_lines(process.stderr_file, kMessageLines);
    const bool alone = step.profiler == kBaseline;
    return base::Error{reason(end, process) + (alone ? " without a profiler" : " under " + step.profiler)};
  }
  if (config_.judges_program()) return base::Done{};
  const auto output = read_text(process.stdout_file);
  if (!output) return output.error();
  const auto checksum = parse_checksum(*output);
  if (!checksum) return checksum.error();
  row["checksum"] = *checksum;
  return check_checksum(step, java, *checksum);
}

base::Status PlannedRuns::check_checksum(const Step& step, const std::string& java, const std::string& checksum) {
  const Workload* workload = config_.workloads.find(step.workload);
  const std::string version = jdk_version(java);
  const bool known =
      !workload->checksum.empty() && version.substr(0, version.find('.')) == config_.workloads.checksums_jdk();
  const Json* truth = find_row(results_.rows(), {step.workload, config_.truth(), 1});
  std::string expected, source;
  if (known) {
    expected = workload->checksum;
    source = "checksums.txt says";
  } else if (!step.is_truth() && truth != nullptr) {
    expected = truth->value("checksum", "");
    source = "the truth's is";
  }
  if (expected.empty() || checksum == expected) return base::Done{};
  return base::Error{fmt::format("wrong checksum {}, {} {}", checksum, source, expected)};
}

base::Result<const profile::Profile*> PlannedRuns::truth_of(const std::string& workload) {
  if (truth_workload_ != workload) {
    auto read = profile::read_file(config_.truth_file(workload));
    if (!read) return read.error();
    truth_ = std::move(*read);
    truth_workload_ = workload;
  }
  return &truth_;
}

}  // namespace bursar::evaluation
