#include "cli/recording_options.h"

#include <fmt/format.h>

#include "cli/duration.h"
#include "cli/option_checks.h"

namespace bursar::cli {

namespace {

constexpr std::uint64_t kShortestIntervalNs = 100'000, kLongestIntervalNs = 10'000'000'000;

std::string interval_problem(const std::string& text) {
  const auto interval = parse_duration(text);
  if (!interval) return interval.error().message;
  const bool fits = *interval >= kShortestIntervalNs && *interval <= kLongestIntervalNs;
  return fits ? "" : fmt::format("{} is not an interval from 0.1ms to 10s", text);
}

}  // namespace

AgentOptions RecordingOptions::to_agent(const std::string& mode) const {
  AgentOptions to_agent{.mode = mode,
                        .call_sites = call_sites,
                        .max_contexts = max_contexts == 0 ? std::nullopt : std::optional(max_contexts),
                        .include = include,
                        .exclude = exclude};
  if (!interval.empty()) to_agent.interval_ns = *parse_duration(interval);
  if (seed != 0) to_agent.seed = seed;
  return to_agent;
}

void declare_recording_options(CLI::App& app, RecordingOptions& options) {
  const CLI::Validator pattern{[](std::string& text) { return pattern_problem(text); }, ""};
  const CLI::Validator duration{[](std::string& text) { return interval_problem(text); }, ""};
  app.add_option("--interval", options.interval, "Mode sample: the time between looks; 10ms unless given")
      ->type_name("TIME")
      ->check(duration);
  app.add_option("--seed", options.seed,
                 "Mode sample: looks come at random moments that follow from it; 1 unless given")
      ->type_name("N")
      ->check(positive_number());
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
