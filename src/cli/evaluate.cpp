// bursar evaluate: what every mode costs and how accurate it is, on real programs or on one's own, on this machine.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <memory>

#include "cli/agent_file.h"
#include "cli/agent_options.h"
#include "cli/amount.h"
#include "cli/byte_size.h"
#include "cli/evaluation_text.h"
#include "cli/java_release.h"
#include "cli/launch_plan.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/program_linux.h"
#include "cli/record_modes.h"
#include "cli/recording_options.h"
#include "cli/scheme_study.h"
#include "cli/suggestion.h"
#include "cli/text.h"
#include "cli/verb.h"
#include "evaluation/evaluate.h"
#include "evaluation/path_variants.h"
#include "evaluation/studies.h"
#include "evaluation/summary.h"
#include "evaluation/variant.h"

namespace bursar::cli {

namespace {

namespace fs = std::filesystem;
using evaluation::Config;

constexpr int kInterrupted = 130;  // as shells say it
constexpr const char *kAccuracy = "accuracy", *kSlowdown = "slowdown", *kSimulation = "simulation";

struct EvaluateOptions {
  std::vector<std::string> workloads;
  Program program;
  bool quick = false;
  bool paths = false;
  std::vector<std::string> modes;
  std::vector<std::string> peers;
  std::string only;
  std::uint32_t runs = 0;  // 0: not given
  std::uint32_t repeat = 0;
  std::string interval;
  std::uint32_t iterations = 0;
  std::uint64_t trace_bytes = 256ULL << 20;
  std::string out = "evaluation";
  std::string workloads_dir;
  std::string jdk;
  std::uint32_t timeout_s = 1800;
  bool keep_profiles = false;
  bool retry_failed = false;
  bool json = false;
};

struct Usual {
  std::uint32_t runs, iterations, warmup_iterations;
  double warmup_seconds;
};
constexpr Usual kThorough = {.runs = 5, .iterations = 20, .warmup_iterations = 20, .warmup_seconds = 30};
constexpr Usual kQuick = {.runs = 3, .iterations = 10, .warmup_iterations = 10, .warmup_seconds = 5};

std::string list_of(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

// In the order of the list, so that the order of the command line does not matter: the same words, the same settings.
std::vector<std::string> chosen(const std::vector<std::string>& list, const std::vector<std::string>& words) {
  std::vector<std::string> result;
  std::copy_if(list.begin(), list.end(), std::back_inserter(result), [&words](const std::string& name) {
    return std::find(words.begin(), words.end(), name) != words.end();
  });
  return result;
}

std::vector<std::string> judged_modes() {
  std::vector<std::string> names;
  for (const RecordMode& mode : record_modes()) {
    if (mode.counts_calls) names.push_back(mode.name);
  }
  return names;
}

constexpr const char* kStudies[] = {evaluation::kCallGraphs, evaluation::kAdvice};

// Variants of the path modes; or modes, and what studies stand for.
std::vector<std::string> known_modes(bool paths) {
  if (paths) return evaluation::names_of(evaluation::path_variants());
  std::vector<std::string> names = judged_modes();
  for (const char* study : kStudies) {
    const std::vector<std::string> more = evaluation::study_names(study);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

// With studies in place of the names that stand for them.
std::vector<std::string> spelled_out(const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const std::string& word : words) {
    const std::vector<std::string> study = evaluation::study_names(word);
    if (study.empty()) {
      names.push_back(word);
    } else {
      names.insert(names.end(), study.begin(), study.end());
    }
  }
  return names;
}

// What --modes takes, as a check; of studies only their names are listed, there are too many in them.
CLI::Validator mode_or_study() {
  std::vector<std::string> listed = judged_modes(), paths = known_modes(true);
  listed.insert(listed.end(), std::begin(kStudies), std::end(kStudies));
  listed.insert(listed.end(), paths.begin(), paths.end());
  const CLI::Validator usual = one_of(listed);
  return CLI::Validator(
      [usual](std::string& word) {
        const std::vector<std::string> names = known_modes(false);
        return std::find(names.begin(), names.end(), word) != names.end() ? std::string() : usual(word);
      },
      "");
}

base::Result<evaluation::Workloads> open_workloads(const EvaluateOptions& options) {
  const std::string folder =
      options.workloads_dir.empty() ? evaluation::find_workloads(own_folder()) : options.workloads_dir;
  if (folder.empty()) {
    return base::Error{
        "the workloads are not to be found; name bench/workloads of Bursar's sources with --workloads-dir (its script "
        "setup installs what they need)"};
  }
  return evaluation::Workloads::open(folder);
}

base::Status check_names(const std::vector<std::string>& names, const evaluation::Workloads& workloads) {
  for (const std::string& name : names) {
    if (workloads.find(name) != nullptr) continue;
    return base::Error{fmt::format("no workload {}{}; there are {}; a program of your own goes behind two dashes",
                                   printable(name), did_you_mean(name, workloads.names()), list_of(workloads.names()))};
  }
  return base::Done{};
}

// Why options that are known each by itself make no sense together; nothing if they do.
std::string mixed_options(const EvaluateOptions& options) {
  if (options.paths && options.repeat > 0) return "--repeat compares contexts, of which --paths has none";
  if (options.paths && !options.peers.empty()) return "--peer has no paths to be compared with --paths";
  if (options.paths && options.only == kSimulation)
    return "--only simulation is of modes that count calls, not --paths";
  if (options.repeat > 0 && (!options.only.empty() || options.runs > 0)) {
    return "--repeat is instead of all else: leave --only and --runs out";
  }
  const bool samples_only = options.repeat > 0 && options.peers.empty() &&
                            (options.modes.empty() || options.modes == std::vector<std::string>{evaluation::kSample});
  if (!options.interval.empty() && !samples_only) {
    return "--interval is for repeated runs of mode sample: give --repeat, and no other mode";
  }
  const std::vector<std::string> known = known_modes(options.paths);
  for (const std::string& word : options.modes) {
    if (!chosen(known, spelled_out({word})).empty()) continue;
    return options.paths ? fmt::format("--modes {}: with --paths there are {}", word, list_of(known))
                         : fmt::format("--modes {}: only with --paths, which judges paths", word);
  }
  return "";
}

// Why the options make no sense for a program of the user's own; nothing if they do.
std::string misplaced_option(const EvaluateOptions& options) {
  if (!options.workloads.empty()) return "give workloads, or a program behind two dashes, not both";
  for (const std::string& name : spelled_out(options.modes)) {
    if (evaluation::find_advised(name) != nullptr) return "advice is measured on workloads only";
  }
  for (const auto& [given, name] :
       {std::pair{options.iterations > 0, "--iterations"}, std::pair{!options.jdk.empty(), "--jdk"},
        std::pair{!options.workloads_dir.empty(), "--workloads-dir"}}) {
    if (given) return fmt::format("{} is for workloads; a program of your own is run as it is", name);
  }
  return "";
}

// The user's program, found and judged before anything else is done: java by its path, so that its JDK is known.
base::Result<Program> find_own(const EvaluateOptions& options) {
  Program program = options.program;
  const ProgramFile file = find_program(program.front());
  const std::string name = printable(shell_quoted(program.front()));
  if (file.error != 0) return base::Error{fmt::format("cannot run {}: {}", name, std::strerror(file.error))};
  std::error_code failure;
  const std::string path = fs::canonical(file.path, failure).string();
  if (is_java(program.front(), path)) {
    if (const base::Status suited = check_java(path); !suited) return suited.error();
    program.front() = path;
  } else if (!options.peers.empty()) {
    return base::Error{
        fmt::format("--peer needs a program called java, to which options can be given; {} is not", name)};
  }
  return program;
}

base::Result<Config> configure(const EvaluateOptions& options, evaluation::Workloads workloads) {
  const auto agent = find_agent(own_folder(), std::getenv("BURSAR_AGENT"));
  if (!agent) return agent.error();
  std::error_code failure;
  const Usual& usual = options.quick ? kQuick : kThorough;
  Config config{.workloads = std::move(workloads)};
  if (!options.program.empty()) {
    auto program = find_own(options);
    if (!program) return program.error();
    config.program = std::move(*program);
    config.names = {evaluation::kProgram};
  }
  for (const std::string& name : options.workloads) {
    if (std::find(config.names.begin(), config.names.end(), name) == config.names.end()) config.names.push_back(name);
  }
  if (config.names.empty()) config.names = options.quick ? config.workloads.quick() : config.workloads.real();
  const std::vector<std::string> usual_modes = options.repeat > 0 ? std::vector<std::string>{evaluation::kSample}
                                               : options.paths    ? known_modes(true)
                                                                  : judged_modes();
  config.modes = options.modes.empty() ? usual_modes : chosen(known_modes(options.paths), spelled_out(options.modes));
  config.paths = options.paths;
  config.peers = chosen({evaluation::kJfr}, options.peers);
  config.runs = options.runs > 0 ? options.runs : usual.runs;
  config.iterations = options.iterations > 0 ? options.iterations : usual.iterations;
  config.warmup_iterations = options.iterations > 0 ? options.iterations : usual.warmup_iterations;
  config.warmup_seconds = usual.warmup_seconds;
  config.timeout_s = options.timeout_s;
  config.jdk = options.jdk;
  config.folder = fs::absolute(options.out, failure).string();
  config.repeat = options.repeat;
  config.interval = options.interval;
  const auto wanted = [&](const char* what) {
    return options.repeat == 0 && (options.only.empty() || options.only == what);
  };
  config.accuracy = wanted(kAccuracy);
  config.slowdown = wanted(kSlowdown);
  config.simulation = wanted(kSimulation) && !options.paths;
  config.trace_bytes = options.trace_bytes;
  config.study = study_schemes;
  config.keep_profiles = options.keep_profiles;
  config.retry_failed = options.retry_failed;
  config.bursar = fs::read_symlink("/proc/self/exe", failure).string();
  config.bursar_word = shell_quoted(config.bursar);
  config.folder_word = shell_quoted(config.folder);
  config.agent = *agent;
  return config;
}

std::string about(double seconds) {
  if (seconds <= 0) return "";
  return seconds < 90 ? fmt::format(", about {:.0f} s left", seconds)
                      : fmt::format(", about {:.0f} min left", seconds / 60);
}

// One line on a terminal, wiped when something else is to be said.
evaluation::Observer progress() {
  const bool terminal = isatty(STDERR_FILENO) == 1;
  const auto wipe = [terminal] {
    if (terminal) std::fputs("\r\x1b[K", stderr);
  };
  return {.starting =
              [terminal, wipe](const evaluation::Step& step, std::size_t position, std::size_t count, double seconds) {
                wipe();
                const std::string what = step.is_truth() ? "the truth" : step.profiler;
                const std::string line =
                    fmt::format("run {} of {}: {}, {}{}", position, count, step.workload, what, about(seconds));
                if (terminal) std::fputs(line.c_str(), stderr);
              },
          .failed =
              [wipe](const evaluation::Step& step, const std::string& failure) {
                wipe();
                say(fmt::format("{}, {}: {}", step.workload, step.profiler, printable(failure)));
              },
          .idle = wipe};
}

Ending evaluate(const EvaluateOptions& options, Output& out) {
  if (const std::string problem = mixed_options(options); !problem.empty()) return {ExitStatus::kUsage, problem};
  base::Result<evaluation::Workloads> workloads = evaluation::Workloads{};
  if (options.program.empty()) {
    workloads = open_workloads(options);
    if (!workloads) return base::Status(workloads.error());
    if (const base::Status known = check_names(options.workloads, *workloads); !known) {
      return {ExitStatus::kUsage, known.error().message};
    }
  } else if (const std::string problem = misplaced_option(options); !problem.empty()) {
    return {ExitStatus::kUsage, problem};
  }
  auto config = configure(options, std::move(*workloads));
  if (!config) return base::Status(config.error());
  const auto outcome = evaluation::evaluate(*config, progress());
  if (!outcome) return base::Status(outcome.error());
  const bool failed = evaluation::has_failure(outcome->evaluation);
  Ending ending(static_cast<int>(failed ? ExitStatus::kFailed : ExitStatus::kOk));
  if (outcome->interrupted) {
    ending = Ending(kInterrupted);
    ending.message =
        fmt::format("stopped; what is done is in {}, and the same command goes on from there", printable(options.out));
    return ending;
  }
  out.write(options.json ? json_text(outcome->evaluation) : evaluation_text(outcome->evaluation, Terminal::detect()));
  ending.message = fmt::format("the report is {}/report.html", printable(options.out));
  return ending;
}

Action declare(CLI::App& app, Program program) {
  const auto options = std::make_shared<EvaluateOptions>();
  options->program = std::move(program);
  app.add_option("WORKLOAD", options->workloads,
                 "Which programs; all real ones of bench/workloads unless given, or the one behind --");
  app.add_flag("--quick", options->quick,
               "Five programs, shorter runs, fewer of them: a first look, no figures to keep");
  app.add_flag("--paths", options->paths,
               "The path modes, held against exact-paths: by how much is sampled, and the register alone");
  app.add_option("--modes", options->modes,
                 "Modes of bursar record, with commas between, all unless given; or a study: call-graphs, advice")
      ->type_name("A,B")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(mode_or_study());
  app.add_option("--peer", options->peers, "Another profiler beside ours: jfr, the JDK's flight recorder")
      ->type_name("NAME")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(one_of({evaluation::kJfr}));
  app.add_option("--only", options->only, "accuracy, slowdown or simulation; all unless given")
      ->type_name("WHAT")
      ->check(one_of({kAccuracy, kSlowdown, kSimulation}));
  app.add_option("--repeat", options->repeat,
                 "Compare so many runs of each program with each other, instead of all else; mode sample unless given")
      ->type_name("N")
      ->check(repetitions());
  app.add_option(
         "--interval", options->interval,
         "With --repeat: how often mode sample looks, 10ms unless given; shorter for many samples in little time")
      ->type_name("TIME")
      ->check(sampling_interval());
  app.add_option("--runs", options->runs,
                 "Rounds of slowdown, 5 unless given (less has no interval); estimates for accuracy, 3 at most")
      ->type_name("N")
      ->check(positive_number());
  app.add_option("--iterations", options->iterations,
                 "Iterations of a program in an accuracy run; to warm up and to measure in a slowdown run; 20")
      ->type_name("N")
      ->check(positive_number());
  app.add_option_function<std::string>(
         "--max-size", [options](const std::string& text) { options->trace_bytes = *parse_byte_size(text); },
         "Of the trace of each program that schemes are simulated on; 256M unless given")
      ->type_name("SIZE")
      ->check(trace_size());
  app.add_option("--out", options->out, "The folder for results; the same one goes on where it stopped; evaluation")
      ->type_name("DIR");
  app.add_flag("--json", options->json, "For programs");
  app.add_flag("--retry-failed", options->retry_failed, "Run again what failed before");
  app.add_flag("--keep-profiles", options->keep_profiles, "Keep every profile in DIR/profiles, not only the truths");
  app.add_option("--timeout", options->timeout_s, "End a run that takes longer; 1800 unless given")
      ->type_name("SECONDS")
      ->check(positive_number());
  app.add_option("--jdk", options->jdk, "The JDK to run them with; Debian's JDK 17, or BENCH_JDK, unless given")
      ->type_name("DIR");
  app.add_option("--workloads-dir", options->workloads_dir,
                 "bench/workloads of Bursar's sources; found beside the build or in the current folder unless given")
      ->type_name("DIR");
  return [options](Output& out) { return evaluate(*options, out); };
}

}  // namespace

const Verb kEvaluateVerb = {
    .name = "evaluate",
    .summary = "What every mode costs and how accurate it is, on real programs or on your own, on this machine",
    .examples =
        "  bursar evaluate --quick                               five programs, all modes\n"
        "  bursar evaluate --out all --peer jfr                  all programs; the JDK's own profiler beside ours\n"
        "  bursar evaluate --out mine -- java -jar app.jar       the same for a program of your own\n"
        "  bursar evaluate fop xalan --modes exact --only accuracy --iterations 5\n"
        "  bursar evaluate --out paths --paths                   path and edge profiles instead\n"
        "  bursar evaluate --out cg --modes call-graphs --only accuracy --runs 1    mode cbs with other options\n"
        "  bursar evaluate --out adv --modes advice --only slowdown                 bursar advise: is it any good?\n"
        "  bursar evaluate --out ten --repeat 10                 how far do ten runs of mode sample agree?\n"
        "  bursar evaluate --out all --peer jfr --json | jq .means\n",
    .declare_with_program = declare,
    .program_optional = true,
    .notes =
        "Accuracy: every estimate is compared with the profile of mode exact, the same program and as many "
        "iterations;\n"
        "medians of up to three. The overlap of two exact runs is the ceiling.\n"
        "Slowdown: bench/slowdown runs the programs with and without the profiler in turn and measures the CPU time "
        "of\n"
        "iterations after the warm-up (20 iterations and 30 s; with --quick 10 and 5 s).\n"
        "A program of your own is run from its start to its end, in rounds: alone and in every mode, in random order. "
        "Of\n"
        "every run CPU time and memory of the whole process are measured, and accuracy. It must end by itself, with "
        "exit\n"
        "status 0; it reads nothing, and its output is not shown. Let it run for some seconds, or its start is what "
        "is\n"
        "measured.\n"
        "Paths: the truth is mode exact-paths. paths is mode paths as it is unless told otherwise; paths-1-1, "
        "paths-64-17 …\n"
        "take so many samples after such a stride in each interval, as the paper does; paths-once samples only for the "
        "first\n"
        "3 s; paths-alone never, so that its cost is that of the register.\n"
        "Simulation: a trace of the program (bursar record --mode trace), up to --max-size, and what sampling, bursts "
        "and\n"
        "adaptive bursts would have seen of it (bursar simulate): accuracy, also over time, and with other options. "
        "The\n"
        "clock is the recorded time, in which the program is slower than it is.\n"
        "Repeated runs: correlation of method totals and overlap of the Call Context Maps' counters, every run with "
        "every\n"
        "other; beside them what sampling noise alone predicts of both. Mode sample records with --walks new: the\n"
        "correlation is that of samples, and that of activations, as in the paper. Profiles are kept in DIR/profiles.\n"
        "Studies: call-graphs records in mode cbs with 1, 8, 32, 256 and 100 samples a tick "
        "(cbs-SAMPLES-STRIDE-CORRECTION),\n"
        "each without correction, by density, and by density and latency. advice runs the program with the directives "
        "of\n"
        "bursar advise, from profiles of mode cbs without and with correction, HotSpot's static limits as they are or "
        "weak:\n"
        "CPU time, C2's code and inlined calls, compared with no advice.\n"
        "Every finished run is kept in DIR/runs.jsonl or DIR/slowdown.jsonl at once: after Ctrl-C the same command "
        "goes\n"
        "on. More workloads and runs may be added; any other change needs another DIR. DIR/report.html has the plots.\n"
        "bench/workloads/setup installs the programs.\n"
        "\n"
        "Exit status: 0 all was measured; 1 something failed (the table says what, the rest is measured); 2 wrong\n"
        "usage; 130 interrupted. Results go to stdout, messages to stderr.\n",
};

}  // namespace bursar::cli
