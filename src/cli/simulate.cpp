// bursar simulate: what schemes would have seen of a recorded run.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "analysis/comparison.h"
#include "cli/amount.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/scheme_options.h"
#include "cli/study_json.h"
#include "cli/table.h"
#include "cli/text.h"
#include "cli/trace_study.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

constexpr std::string_view kNumberMark = "%n";

struct SimulateOptions {
  std::string trace;
  std::vector<std::string> schemes;
  std::vector<Sweep> settings;
  std::vector<std::string> sweeps;
  std::string clock = "time";
  double slowdown = 1;
  bool call_sites = false;
  std::uint32_t over_time = 0;
  std::string output;
  bool force = false;
  bool json = false;
};

std::string numbered(std::string path, std::size_t number) {
  if (const std::size_t at = path.find(kNumberMark); at != std::string::npos) {
    path.replace(at, kNumberMark.size(), std::to_string(number));
  }
  return path;
}

Target target_of(const SimulateOptions& options, std::size_t variant) {
  return {.path = numbered(options.output, variant + 1), .force = options.force, .inputs = {options.trace}};
}

std::string cell(const std::optional<double>& percent) {
  return percent ? fmt::format("{:.2f}", *percent) : "-";
}

// Call graphs are what counter sampling is for: where it is among the schemes, all are measured by them too.
bool shows_call_graphs(const StudyPlan& plan) {
  return std::ranges::any_of(plan.variants, [](const auto& each) { return each.kind == schemes::Kind::kCounter; });
}

std::string variants_table(const Study& study, const StudyPlan& plan, const Terminal& terminal) {
  std::vector<std::string> headers = {"#", "ticks", "bursts", "disabled %", "calls seen %", "overlap %", "hot edges %"};
  const bool call_graphs = shows_call_graphs(plan);
  if (call_graphs) headers.insert(headers.end(), {"call graph %", "not trivial %"});
  Table table(std::move(headers), "scheme");
  for (std::size_t i = 0; i < study.variants.size(); ++i) {
    const Study::Variant& variant = study.variants[i];
    const schemes::ThreadScheme::Counts& counts = variant.totals.counts;
    const schemes::Kind kind = plan.variants[i].kind;
    const bool ticks = kind != schemes::Kind::kExhaustive;
    const bool bursts = ticks && kind != schemes::Kind::kStackWalk;
    std::vector<std::string> row = {std::to_string(i + 1),
                                    ticks ? grouped(counts.ticks) : "-",
                                    bursts ? grouped(counts.bursts) : "-",
                                    bursts && kind != schemes::Kind::kCounter ? cell(variant.disabled_percent()) : "-",
                                    kind == schemes::Kind::kStackWalk ? "-" : cell(variant.seen_percent()),
                                    cell(variant.accuracy.overlap),
                                    cell(variant.accuracy.hot_edge_coverage)};
    if (call_graphs) {
      row.push_back(cell(variant.accuracy.call_graph_overlap));
      row.push_back(cell(variant.accuracy.call_graph_overlap_without_trivial));
    }
    table.add(std::move(row), scheme_text(plan.variants[i]));
  }
  return table.layout(terminal);
}

std::string moments_table(const Study& study, const Terminal& terminal) {
  std::vector<std::string> headers = {"events"};
  for (std::size_t i = 0; i < study.variants.size(); ++i) headers.push_back(fmt::format("#{}", i + 1));
  Table table(std::move(headers), "");
  for (const Moment& moment : study.moments) {
    std::vector<std::string> row = {grouped(moment.events)};
    for (const Accuracy& accuracy : moment.variants) row.push_back(cell(accuracy.overlap));
    table.add(std::move(row), "");
  }
  return table.layout(terminal);
}

std::string study_text(const Study& study, const StudyPlan& plan) {
  const Terminal terminal = Terminal::detect();
  std::string text =
      fmt::format("{}  {}: {} of {} in {}\n", bold(printable(plan.trace), terminal), counted(study.events, "event"),
                  counted(study.calls, "call"), counted(study.threads, "thread"), counted(study.contexts, "context"));
  text += fmt::format("clock: {}\n", clock_text(plan.clock));
  text += fmt::format("\n{}  (against the exhaustive profile of this trace; hot edges: at {} % of the hottest)\n",
                      bold("Schemes", terminal), kHotEdgePercent);
  text += variants_table(study, plan, terminal);
  if (shows_call_graphs(plan)) {
    text += fmt::format(
        "call graph: overlap of calls by caller, call site and callee; not trivial: without callees of up to {} "
        "bytes\n",
        analysis::CompareOptions().trivial_code_bytes);
  }
  if (!study.moments.empty()) {
    text += fmt::format("\n{}  (overlap %, against the exhaustive profile of the same moment)\n",
                        bold("Over time", terminal));
    text += moments_table(study, terminal);
  }
  return text;
}

void warn(const Study& study, const std::string& trace) {
  if (!study.shortcoming.empty()) {
    say(fmt::format("warning: {} is not of the whole run: {}", printable(trace), printable(study.shortcoming)));
  }
  for (const auto& [reason, calls] : study.dropped) {
    say(fmt::format("warning: {} {} are not in {}", counted(calls, "call"), printable(reason), printable(trace)));
  }
}

base::Result<StudyPlan> plan_of(const SimulateOptions& options) {
  StudyPlan plan{.trace = options.trace,
                 .variants = {},
                 .clock = {},
                 .call_sites = options.call_sites,
                 .moments = options.over_time,
                 .keep = {}};
  std::vector<schemes::Kind> kinds;
  for (const std::string& word : options.schemes) kinds.push_back(scheme_kind(word));
  std::vector<Sweep> sweeps = options.settings;
  for (const std::string& text : options.sweeps) {
    auto sweep = parse_sweep(text);
    if (!sweep) return base::Error{"--sweep: " + sweep.error().message};
    sweeps.push_back(std::move(*sweep));
  }
  plan.variants = scheme_variants(kinds, sweeps);
  plan.clock.slowdown = options.slowdown;
  if (options.clock == "events") plan.clock.kind = simulation::Clock::Kind::kEvents;
  return plan;
}

Ending simulate(const SimulateOptions& options, Output& out) {
  auto plan = plan_of(options);
  if (!plan) return {ExitStatus::kUsage, plan.error().message};
  if (options.clock == "events" && options.slowdown != 1) {
    return {ExitStatus::kUsage, "--slowdown is for a clock of recorded time; --clock events has none"};
  }
  if (!options.output.empty()) {
    if (plan->variants.size() > 1 && options.output.find(kNumberMark) == std::string::npos) {
      return {ExitStatus::kUsage, fmt::format("{} profiles need {} in the name of the output, which becomes the number "
                                              "of the scheme",
                                              plan->variants.size(), kNumberMark)};
    }
    for (std::size_t i = 0; i < plan->variants.size(); ++i) {
      if (const base::Status allowed = check_target(target_of(options, i)); !allowed) return allowed;
    }
    plan->keep = [&options](std::size_t variant, const profile::Profile& profile) {
      return write_profile(target_of(options, variant), profile);
    };
  }
  const auto study = study_trace(*plan);
  if (!study) return base::Status(study.error());
  warn(*study, options.trace);
  out.write(options.json ? json_text(study_json(*study, *plan)) : study_text(*study, *plan));
  return base::Status(base::Done{});
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<SimulateOptions>();
  app.add_option("TRACE", options->trace, "What bursar record --mode trace wrote")->required();
  app.add_option(
         "--scheme", options->schemes,
         "exhaustive: every call; sample: the stack at every tick; burst: every call for a while at every tick;\n"
         "adaptive: the same, mostly at stacks that are new; cbs: some of the calls behind every tick, also of "
         "threads\n"
         "that wait. May be given again")
      ->type_name("SCHEME")
      ->required()
      ->allow_extra_args(false)
      ->check(one_of(scheme_words()));
  add_scheme_options(app, options->settings);
  app.add_option(
         "--sweep", options->sweeps,
         "NAME=VALUE,VALUE…: every value of an option above; with several sweeps, of every one with every other")
      ->type_name("VALUES")
      ->allow_extra_args(false);
  app.add_option("--clock", options->clock, "time (unless given): as recorded; or events: 10 ns for each of a thread")
      ->type_name("CLOCK")
      ->check(one_of({"time", "events"}));
  app.add_option("--slowdown", options->slowdown,
                 "How much slower the program was while it was recorded: recorded time is divided by it")
      ->type_name("X")
      ->check(factor());
  app.add_option("--over-time", options->over_time, "Also the overlap at N moments, evenly over the trace")
      ->type_name("N")
      ->check(positive_number());
  app.add_flag("--call-sites", options->call_sites, "Keep calls from different places of a method apart");
  app.add_option("-o,--output", options->output,
                 "What the scheme makes of the trace, as a profile; of several, %n becomes the number")
      ->type_name("FILE");
  app.add_flag("--force", options->force, "Replace an existing output");
  app.add_flag("--json", options->json, "For programs");
  return [options](Output& out) { return simulate(*options, out); };
}

}  // namespace

const Verb kSimulateVerb = {
    .name = "simulate",
    .summary = "What would a cheaper profiler have seen? Any scheme over a recorded trace",
    .examples =
        "  bursar simulate run.trace --scheme adaptive\n"
        "  bursar simulate run.trace --scheme sample --scheme burst --scheme adaptive --slowdown 4\n"
        "  bursar simulate run.trace --scheme adaptive --sweep burst-length=0.1,0.2,0.5,1 --sweep "
        "reenable=0,0.05,0.1,1\n"
        "  bursar simulate run.trace --scheme cbs --sweep samples=1,8,32,256 --sweep correct=none,density,"
        "density+latency\n"
        "  bursar simulate run.trace --scheme adaptive --over-time 20 --json\n"
        "  bursar simulate run.trace --scheme adaptive --seed 7 -o adaptive.bursar      for bursar compare, report …\n",
    .declare = declare,
    .notes =
        "The same trace, options and seed give the same bytes. Times: 10ms, 0.2ms, 5s; without a unit milliseconds.\n"
        "Recording slows a program down, and its calls with it: --slowdown says by how much, so that a tick comes "
        "after\n"
        "as many calls as in the program itself (bench/slowdown measures it).\n"
        "\n"
        "Exit status: 0 done, also where the trace ends early, which is said; 1 failed (a file is missing, no trace,\n"
        "damaged, in the way, cannot be written); 2 wrong usage. Results go to stdout, messages to stderr.\n",
};

}  // namespace bursar::cli
