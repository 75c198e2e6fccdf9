#include "cli/recording_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include "cli/duration.h"
#include "cli/option_checks.h"
#include "cli/scheme_options.h"

namespace bursar::cli {

namespace {

constexpr std::uint64_t kDefaultMinIntervalNs = 1'000'000, kDefaultMaxIntervalNs = 1'000'000'000;
constexpr std::uint64_t kShortestIntervalNs = 100'000, kShortestBurstNs = 1'000, kLongestNs = 10'000'000'000;
constexpr std::uint64_t kLongestWindowNs = 1'000'000, kLongestFirstNs = 86'400'000'000'000;
constexpr std::uint32_t kMostCounted = 65'536;

// Of samples of paths and calls.
bool is_count(const std::string& name) {
  return name == "samples" || name == "stride";
}

bool is_factor(const std::string& name) {
  return name == "lambda" || name == "alpha";
}

// Options whose values are words.
const std::map<std::string, std::vector<std::string>>& words() {
  static const std::map<std::string, std::vector<std::string>> kWords = {
      {"clock", {"cpu", "wall"}},
      {"walks", {"full", "new", "check"}},
      {"placement", {"code", "profile", "worst"}},
      {"correct", {"none", "density", "density+latency"}},
      {"density", {"any", "hardware", "software"}},
  };
  return kWords;
}

std::string word_problem(const std::vector<std::string>& known, const std::string& text) {
  if (std::find(known.begin(), known.end(), text) != known.end()) return "";
  if (known.size() == 2) return fmt::format("{} is neither {} nor {}", text, known[0], known[1]);
  return fmt::format("{} is not {} or {}", text, fmt::join(known.begin(), known.end() - 1, ", "), known.back());
}

std::optional<double> factor_in(const std::string& text) {
  constexpr double kMost = 1e15;
  double factor = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), factor);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && factor >= 0 && factor <= kMost ? std::optional(factor) : std::nullopt;
}

std::optional<std::uint32_t> count_in(const std::string& text) {
  std::uint32_t count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  return whole && count >= 1 && count <= kMostCounted ? std::optional(count) : std::nullopt;
}

// A time that may be 0.
std::optional<std::uint64_t> time_in(const std::string& text, std::uint64_t longest_ns) {
  const auto ns = parse_duration(text == "0" ? "0ms" : text);
  return ns && *ns <= longest_ns ? std::optional(*ns) : std::nullopt;
}

bool is_time_or_0(const std::string& name) {
  return name == "window" || name == "first";
}

constexpr const char* kAuto = "auto";  // an interval

std::string interval_problem(const std::string& text, std::uint64_t& ns) {
  schemes::Options trial;
  if (std::string problem = set_scheme_option(trial, "interval", text); !problem.empty()) return problem;
  ns = trial.interval_ns;
  if (ns >= kShortestIntervalNs && ns <= kLongestNs) return "";
  return fmt::format("{} is not an interval from 0.1ms to 10s", text);
}

// The agent wants what schemes do, and that it makes sense in a running program.
std::string scheme_problem(const std::string& name, const std::string& text) {
  if (name == "window") {
    return time_in(text, kLongestWindowNs) ? "" : fmt::format("{} is not a time from 0 to 1ms", text);
  }
  if (name == "first") return time_in(text, kLongestFirstNs) ? "" : fmt::format("{} is not a time from 0 to 24h", text);
  if (is_count(name)) return count_in(text) ? "" : fmt::format("{} is not a number from 1 to {}", text, kMostCounted);
  if (is_factor(name)) return factor_in(text) ? "" : fmt::format("{} is not a number from 0 to 1e15", text);
  if (const auto known = words().find(name); known != words().end()) return word_problem(known->second, text);
  schemes::Options trial;
  if (name == "interval" && text == kAuto) return "";
  if (name == "interval" || name == "min-interval" || name == "max-interval") {
    return interval_problem(text, trial.interval_ns);
  }
  if (std::string problem = set_scheme_option(trial, name, text); !problem.empty()) return problem;
  if (name == "burst-length" && (trial.burst_ns < kShortestBurstNs || trial.burst_ns > kLongestNs)) {
    return fmt::format("{} is not a length from 1us to 10s", text);
  }
  return "";
}

// Of mode paths: whoever gives one of them wants samples.
constexpr std::array kOfTicks = {"samples", "window", "stride", "placement", "first"};

struct SchemeOption {
  const char* name;
  const char* type;
  const char* help;
  std::vector<const char*> modes;

  bool is_for(const std::string& mode) const { return std::find(modes.begin(), modes.end(), mode) != modes.end(); }
};

const std::vector<SchemeOption>& scheme_options() {
  static const std::vector<SchemeOption> kOptions = {
      {"interval",
       "TIME",
       "Modes adaptive, burst, paths, sample, cbs: one burst, or look, in each; 10ms (adaptive and paths: 1ms, cbs: "
       "4ms; "
       "paths with --samples: 20ms) unless given; auto: in mode sample found while it runs; in modes adaptive, paths "
       "and cbs, unless given, that at first, and the longer, the longer the program runs",
       {kSampleMode, kBurstMode, kAdaptiveMode, kCbsMode, kPathsMode}},
      {"min-interval", "TIME", "With --interval auto: none shorter; 1ms unless given", {kSampleMode}},
      {"max-interval", "TIME", "With --interval auto: none longer; 1s unless given", {kSampleMode}},
      {"clock",
       "CLOCK",
       "Mode sample: cpu (unless given), threads that run; or wall, all threads, also those that wait",
       {kSampleMode}},
      {"walks",
       "HOW",
       "Mode sample: full (unless given); new, stacks only as far as they changed since the thread's last sample, with "
       "a count of activations; or check, both, to see that they agree",
       {kSampleMode}},
      {"burst-length",
       "TIME",
       "Of a burst, as its part of the interval; 0.04ms unless given",
       {kBurstMode, kAdaptiveMode, kPathsMode}},
      {"reenable",
       "PART",
       "Modes adaptive, paths: of the bursts at stacks that had one before, this part takes place; 0.5 unless given",
       {kAdaptiveMode, kPathsMode}},
      {"history",
       "N",
       "Modes adaptive, paths: stacks that are remembered; 2048 unless given",
       {kAdaptiveMode, kPathsMode}},
      {"collision",
       "RULE",
       "Modes adaptive, paths: of two stacks for one place replace (unless given) the old one, or keep it",
       {kAdaptiveMode, kPathsMode}},
      {"samples",
       "N",
       "Mode paths: sample paths at ticks and do not count in bursts, of each thread that runs so many, at least, in "
       "each interval (--stride, --window, --placement and --first ask for that as well); 64 unless given. Mode cbs: "
       "calls that are sampled in each; 100 unless given",
       {kPathsMode, kCbsMode}},
      {"window",
       "TIME",
       "Mode paths: eight times in each interval, and all that runs within this time; 10us unless given, 0 for once, "
       "and "
       "no more than --samples",
       {kPathsMode}},
      {"stride",
       "N",
       "Mode paths: before the first of them pass by 0 to N - 1 paths, in turn; 17 unless given. Mode cbs: every N-th "
       "call is sampled; 17 unless given",
       {kPathsMode, kCbsMode}},
      {"placement",
       "HOW",
       "Mode paths: the way out of a branch that costs nothing: code (unless given), that which falls through; "
       "profile, "
       "that which is taken most, for which hot methods are rewritten while the program runs; or worst, the other ones",
       {kPathsMode}},
      {"first",
       "TIME",
       "Mode paths: sample only in the first 3s … of the run, which is a one-time profile; 0 for never, to see what "
       "the "
       "register costs by itself",
       {kPathsMode}},
      {"correct",
       "HOW",
       "Mode cbs: none, all samples weigh the same; density (unless given), more where calls are dense; or "
       "density+latency, and less where a sample had to be waited for",
       {kCbsMode}},
      {"lambda", "CYCLES", "Mode cbs: λ of the weights; the interval unless given", {kCbsMode}},
      {"alpha", "N", "Mode cbs: α of the weights, what latency counts; 1000 unless given", {kCbsMode}},
      {"density",
       "SOURCE",
       "Mode cbs: how dense calls are, by hardware, a counter of the processor; by software, the calls that are "
       "watched; "
       "or by any (unless given), the first of these that there is",
       {kCbsMode}},
      {"seed",
       "N",
       "Of all that is random; 1 unless given",
       {kSampleMode, kBurstMode, kAdaptiveMode, kCbsMode, kPathsMode}},
  };
  return kOptions;
}

}  // namespace

bool samples_at_ticks(const RecordingOptions& options) {
  return std::any_of(kOfTicks.begin(), kOfTicks.end(), [&](const char* name) { return options.scheme.contains(name); });
}

std::string misplaced_scheme_option(const RecordingOptions& options, const std::string& mode) {
  for (const SchemeOption& option : scheme_options()) {
    if (!options.scheme.contains(option.name) || option.is_for(mode)) continue;
    return fmt::format("--{} is for mode {}", option.name, fmt::join(option.modes, ", "));
  }
  const auto given = [&](const char* name) { return options.scheme.contains(name); };
  const bool is_auto = given("interval") && options.scheme.at("interval") == kAuto;
  if (mode == kPathsMode && samples_at_ticks(options)) {
    for (const char* name : {"burst-length", "reenable", "history", "collision"}) {
      if (given(name)) return fmt::format("--{} is for counting in bursts, and not for sampling paths at ticks", name);
    }
    if (is_auto) return "--interval auto is not for sampling paths at ticks";
  }
  if (is_auto && mode != kSampleMode && mode != kAdaptiveMode && mode != kPathsMode && mode != kCbsMode)
    return "--interval auto is for modes sample, adaptive, paths and cbs";
  if (is_auto && mode != kSampleMode) return "";
  if (!is_auto && (given("min-interval") || given("max-interval"))) {
    return "--min-interval and --max-interval are for --interval auto";
  }
  if (is_auto && given("walks") && options.scheme.at("walks") == "full") {
    return "--interval auto goes by what a thread's last sample saw: --walks new or check";
  }
  const auto bound = [&](const char* name, std::uint64_t ns) {
    if (given(name)) interval_problem(options.scheme.at(name), ns);
    return ns;
  };
  if (bound("min-interval", kDefaultMinIntervalNs) > bound("max-interval", kDefaultMaxIntervalNs)) {
    return "--min-interval is longer than --max-interval";
  }
  return "";
}

AgentOptions RecordingOptions::to_agent(const std::string& mode) const {
  AgentOptions to_agent{.mode = mode,
                        .call_sites = call_sites,
                        .max_contexts = max_contexts == 0 ? std::nullopt : std::optional(max_contexts),
                        .include = include,
                        .exclude = exclude};
  schemes::Options set;
  for (const auto& [name, value] : scheme) {  // as far as it is a scheme's
    if (!is_count(name) && !is_factor(name) && !is_time_or_0(name)) set_scheme_option(set, name, value);
  }
  const auto given = [&](const char* name) { return scheme.contains(name); };
  to_agent.tune = given("interval") && scheme.at("interval") == kAuto;
  if (given("interval") && !to_agent.tune) to_agent.interval_ns = set.interval_ns;
  const auto bound = [&](const char* name, std::optional<std::uint64_t>& ns) {
    if (given(name)) interval_problem(scheme.at(name), ns.emplace());
  };
  bound("min-interval", to_agent.min_interval_ns);
  bound("max-interval", to_agent.max_interval_ns);
  if (given("clock")) to_agent.clock = scheme.at("clock");
  if (given("walks")) to_agent.walks = scheme.at("walks");
  if (given("seed")) to_agent.seed = set.seed;
  if (given("burst-length")) to_agent.burst_ns = set.burst_ns;
  if (given("reenable")) to_agent.reenable = set.reenable;
  if (given("history")) to_agent.history = set.history;
  if (given("samples")) to_agent.samples = count_in(scheme.at("samples"));
  if (given("stride")) to_agent.stride = count_in(scheme.at("stride"));
  if (given("window")) to_agent.window_ns = time_in(scheme.at("window"), kLongestWindowNs);
  if (given("placement")) to_agent.placement = scheme.at("placement");
  if (given("first")) to_agent.first_ns = time_in(scheme.at("first"), kLongestFirstNs);
  if (given("correct")) to_agent.correct = scheme.at("correct");
  if (given("lambda")) to_agent.lambda = factor_in(scheme.at("lambda"));
  if (given("alpha")) to_agent.alpha = factor_in(scheme.at("alpha"));
  if (given("density")) to_agent.density = scheme.at("density");
  if (given("collision")) to_agent.collision = scheme.at("collision");
  return to_agent;
}

CLI::Validator sampling_interval() {
  return {[](std::string& text) {
            std::uint64_t ns = 0;
            return interval_problem(text, ns);
          },
          ""};
}

void declare_recording_options(CLI::App& app, RecordingOptions& options, const std::vector<std::string>& modes) {
  const CLI::Validator pattern{[](std::string& text) { return pattern_problem(text); }, ""};
  for (const SchemeOption& option : scheme_options()) {
    if (std::none_of(modes.begin(), modes.end(), [&](const std::string& mode) { return option.is_for(mode); }))
      continue;
    const std::string name = option.name;
    const auto set = [&options, name](const std::string& value) { options.scheme[name] = value; };
    const CLI::Validator check{[name](std::string& value) { return scheme_problem(name, value); }, ""};
    app.add_option_function<std::string>("--" + name, set, option.help)->type_name(option.type)->check(check);
  }
  app.add_flag("--call-sites", options.call_sites, "Keep calls from different places of a method apart");
  app.add_option("--include", options.include,
                 "Only java.util.*, com.acme.Foo, com.acme.Foo.bar …; * is any text; may be given again")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->check(pattern);
  app.add_option("--exclude", options.exclude, "Not these, in the same way; may be given again")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->check(pattern);
  app.add_option("--max-contexts", options.max_contexts,
                 "Keep at most so many contexts apart; 20,000,000 unless given (about 3 GB)")
      ->type_name("N")
      ->check(positive_number());
}

}  // namespace bursar::cli
