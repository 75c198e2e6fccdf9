#include "evaluation/slowdown_runs.h"

#include <fmt/format.h>

#include <filesystem>

#include "evaluation/jfr.h"
#include "evaluation/studies.h"
#include "evaluation/text_file.h"
#include "evaluation/variant.h"

namespace bursar::evaluation {

namespace {

constexpr int kMeasured = 0, kSomeFailed = 1;  // exit status; the failures are in the results

std::string results_path(const Config& config) {
  return config.folder + "/slowdown.jsonl";
}

std::string joined(const std::vector<std::string>& words, char separator) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(1, separator)) + word;
  return text;
}

// What bench/slowdown calls a variant.
std::string variant(const Config& config, const std::string& profiler) {
  if (config.is_peer(profiler)) return fmt::format("{}={}", profiler, joined(jfr_jvm_options("{out}.jfr"), ' '));
  if (const AdvisedWay* way = find_advised(profiler); way != nullptr) {
    return fmt::format("{}={} advise {}/profiles/{{workload}}.{}.1.bursar --apply --quiet {} -- {{java}}", profiler,
                       config.bursar_word, config.folder_word, way->profile, joined(way->options, ' '));
  }
  return fmt::format("{}={} record --quiet --force {} -o {{out}} -- {{java}}", profiler, config.bursar_word,
                     joined(record_options(profiler), ' '));
}

}  // namespace

std::vector<std::string> slowdown_command(const Config& config) {
  std::vector<std::string> words = {config.workloads.slowdown_command(), "--workloads", joined(config.names, ',')};
  for (const std::string& profiler : config.profilers()) {
    words.insert(words.end(), {"--with", variant(config, profiler)});
  }
  const auto add = [&words](const char* option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  add("--runs", std::to_string(config.runs));
  add("--iterations", std::to_string(config.iterations));
  add("--warmup-iterations", std::to_string(config.warmup_iterations));
  add("--warmup-seconds", fmt::format("{:g}", config.warmup_seconds));
  add("--timeout", fmt::format("{:g}", config.timeout_s));
  add("--out", results_path(config));
  add("--json", "-");
  if (!config.jdk.empty()) add("--jdk", config.jdk);
  if (config.retry_failed) words.emplace_back("--retry-failed");
  return words;
}

SlowdownEnd run_slowdowns(const Config& config, AwaitedSignals& signals) {
  const Process process{.words = slowdown_command(config), .stdout_file = config.scratch("slowdown.json")};
  const ProcessEnd end = run_process(process, signals);
  if (end.interrupted) return {.interrupted = true, .problem = ""};
  const bool measured =
      end.start_error == 0 && end.signal == 0 && (end.exit_status == kMeasured || end.exit_status == kSomeFailed);
  return {.interrupted = false, .problem = measured ? "" : "bench/slowdown: " + reason(end, process)};
}

base::Result<Json> read_slowdowns(const Config& config, AwaitedSignals& signals) {
  std::error_code failure;
  if (!std::filesystem::exists(results_path(config), failure)) return Json();
  const Process process{.words = {config.workloads.slowdown_command(), "--show", results_path(config), "--workloads",
                                  joined(config.names, ','), "--json", "-"},
                        .stdout_file = config.scratch("slowdown.json"),
                        .stderr_file = config.scratch("messages")};
  const ProcessEnd end = run_process(process, signals);
  if (end.start_error != 0 || (end.exit_status != kMeasured && end.exit_status != kSomeFailed)) {
    return base::Error{fmt::format("cannot read {}: {}", results_path(config), last_lines(process.stderr_file, 1))};
  }
  const auto text = read_text(process.stdout_file);
  if (!text) return text.error();
  Json parsed = Json::parse(*text, nullptr, false);
  if (parsed.is_discarded())
    return base::Error{fmt::format("{} is not what bench/slowdown writes", results_path(config))};
  return parsed;
}

}  // namespace bursar::evaluation
