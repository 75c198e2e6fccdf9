// bursar record: a program, profiled from its start.
#include <fmt/format.h>
#include <sys/stat.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <optional>
#include <span>

#include "cli/agent_file.h"
#include "cli/agent_options.h"
#include "cli/agent_status.h"
#include "cli/byte_size.h"
#include "cli/duration.h"
#include "cli/files.h"
#include "cli/launch_plan.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/profile_output.h"
#include "cli/program_launch.h"
#include "cli/record_modes.h"
#include "cli/record_summary.h"
#include "cli/recording_options.h"
#include "cli/temporary_file.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

constexpr std::size_t kMaxCommandBytes = 4096;

// The JIT would otherwise make calls vanish (string concatenation, boxing, constructors of exceptions) or leave methods
// grown by probes interpreted, or give up after 400 times on code that is compiled anew for contexts it did not expect.
// On the largest methods the optimizing compiler would work for half a minute and then give up; this way it does so
// soon. Frames grow too, so stacks are four times HotSpot's default.
constexpr const char* kExactJvmOptions[] = {"-XX:-OptimizeStringConcat",
                                            "-XX:-EliminateAutoBox",
                                            "-XX:-OmitStackTraceInFastThrow",
                                            "-XX:-DontCompileHugeMethods",
                                            "-XX:PerMethodRecompilationCutoff=-1",
                                            "-XX:MaxNodeLimit=30000",
                                            "-Xss4m"};

// The compilers then note for more instructions than usual which method they come from: samples name the right one.
constexpr const char* kSampleJvmOptions[] = {"-XX:+UnlockDiagnosticVMOptions", "-XX:+DebugNonSafepoints"};

// Windows can begin in counted loops then with every collector, as they can with G1 in any case.
constexpr const char* kCbsJvmOptions[] = {"-XX:+UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=1000"};

// In bursts, and with a path register, frames grow as in mode exact, and so do methods; the rest is as it was.
constexpr const char* kGrownJvmOptions[] = {"-XX:-DontCompileHugeMethods", "-Xss4m"};

std::span<const char* const> jvm_options_of(const std::string& mode) {
  if (mode == kCbsMode) return kCbsJvmOptions;
  if (mode == kSampleMode) return kSampleJvmOptions;
  if (mode == kBurstMode || mode == kAdaptiveMode || records_paths(mode)) return kGrownJvmOptions;
  return kExactJvmOptions;
}

constexpr const char* kDefaultOutput = "profile.bursar";
constexpr const char* kDefaultTrace = "profile.trace";
constexpr std::uint64_t kNsInMs = 1'000'000;
constexpr std::uint64_t kLongestSkipNs = 1'000'000'000 * kNsInMs;

struct RecordOptions {
  Program program;
  std::string mode = kAdaptiveMode;
  std::string output = kDefaultOutput;
  bool force = false;
  RecordingOptions recording;
  std::optional<std::uint64_t> max_size;
  std::optional<std::uint64_t> skip_ms;
  bool quiet = false;
};

std::vector<std::string> jvm_options(const RecordOptions& options, const std::string& agent,
                                     const std::string& status) {
  AgentOptions to_agent = options.recording.to_agent(options.mode);
  to_agent.output = absolute_output(options.output);
  to_agent.status = status;
  to_agent.command = command_line(options.program, kMaxCommandBytes);
  to_agent.max_size = options.max_size;
  to_agent.skip_ms = options.skip_ms;
  std::vector<std::string> result = {fmt::format("-agentpath:{}={}", agent, to_agent.text())};
  const std::span<const char* const> more = jvm_options_of(options.mode);
  result.insert(result.end(), more.begin(), more.end());
  return result;
}

// HotSpot writes it to the current folder, or else to /tmp; a file of an older process with that number is none.
std::string find_crash_report(pid_t process, std::time_t start) {
  const std::string name = fmt::format("hs_err_pid{}.log", process);
  for (const std::string& path : {name, "/tmp/" + name}) {
    struct stat info {};
    if (stat(path.c_str(), &info) == 0 && info.st_mtime >= start) return path;
  }
  return "";
}

// Mode paths counts calls as well, unless it samples.
bool counts_in_contexts(const RecordOptions& options) {
  return !records_paths(options.mode) || (options.mode == kPathsMode && !samples_at_ticks(options.recording));
}

bool estimates(const RecordOptions& options) {
  return options.mode == kAdaptiveMode || options.mode == kBurstMode ||
         (options.mode == kPathsMode && counts_in_contexts(options));
}

std::string misplaced_option(const RecordOptions& options) {
  if (std::string problem = misplaced_scheme_option(options.recording, options.mode); !problem.empty()) return problem;
  if (options.mode == kTraceMode) {
    return options.recording.call_sites ? "a trace keeps call sites in any case: --call-sites is for the other modes"
                                        : "";
  }
  if (options.max_size || options.skip_ms) return "--max-size and --skip are for --mode trace";
  if (!counts_in_contexts(options) && (options.recording.call_sites || options.recording.max_contexts != 0)) {
    return "--call-sites and --max-contexts are for modes that count calls in contexts";
  }
  return "";
}

Ending record(const RecordOptions& options) {
  if (const std::string problem = misplaced_option(options); !problem.empty()) return {ExitStatus::kUsage, problem};
  if (const base::Status writable = check_output(options.output, options.force); !writable) return writable;
  const std::string& name = options.program.front();
  const FoundProgram program = look_up_program(name);
  if (program.problem) return *program.problem;
  const auto agent = find_agent(own_folder(), std::getenv("BURSAR_AGENT"));
  if (!agent) return base::Status(agent.error());
  const auto status_file = TemporaryFile::create("status");
  if (!status_file) return base::Status(status_file.error());

  const LaunchPlan plan =
      plan_launch(options.program, own_environment(), program.java, jvm_options(options, *agent, status_file->path()),
                  options.mode == kSampleMode ? Frames::kAsTheyAre : Frames::kGrown);
  const std::time_t start = std::time(nullptr);
  const auto clock = std::chrono::steady_clock::now();
  const LaunchedProgram launched = launch(program, name, plan, options.quiet);
  if (launched.problem) return *launched.problem;

  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - clock;
  const auto said = read_text(status_file->path());
  const RecordSummary summary = summarise({.output = options.output,
                                           .through_environment = plan.through_environment,
                                           .traced = options.mode == kTraceMode,
                                           .has_paths = records_paths(options.mode),
                                           .estimated = estimates(options),
                                           .seconds = took.count(),
                                           .end = launched.end,
                                           .status = said ? parse_agent_status(*said) : AgentStatus{},
                                           .crash_report = find_crash_report(launched.end.process, start)});
  if (!options.quiet) {
    for (const std::string& line : summary.successes) say(line);
  }
  for (const std::string& line : summary.failures) say(line);
  return Ending(summary.exit_status);
}

Action declare(CLI::App& app, Program program) {
  const auto options = std::make_shared<RecordOptions>();
  options->program = std::move(program);
  const CLI::Validator time{[](std::string& text) -> std::string {
                              const auto ns = parse_duration(text);
                              if (!ns) return ns.error().message;
                              return *ns <= kLongestSkipNs ? "" : fmt::format("{} is more than 1000000s", text);
                            },
                            ""};
  app.add_option(
         "--mode", options->mode,
         "adaptive (unless given): count all calls of short bursts, of which those at new stacks come first, and "
         "estimate the rest; burst: the same without telling stacks apart; exact: count every call; sample: look at "
         "running threads every 10 ms; cbs: sample calls, for who calls whom, without rewriting a class; trace: write "
         "down every call and return, with its time; paths: adaptive, and with it "
         "which acyclic paths through methods run, and so which way branches go; exact-paths: count every path")
      ->type_name("MODE")
      ->check(one_of(record_mode_names()));
  CLI::Option* const output = app.add_option(
      "-o,--output", options->output,
      "The profile; profile.bursar unless given, or profile.trace. %p becomes the process id of the JVM");
  output->type_name("FILE");
  app.add_flag("--force", options->force, "Replace an existing output");
  declare_recording_options(app, options->recording, record_mode_names());
  app.add_option_function<std::string>(
         "--max-size", [options](const std::string& text) { options->max_size = parse_byte_size(text); },
         "Of a trace, which ends there while the program goes on; 1G unless given")
      ->type_name("SIZE")
      ->check(trace_size());
  app.add_option_function<std::string>(
         "--skip", [options](const std::string& text) { options->skip_ms = *parse_duration(text) / kNsInMs; },
         "A trace begins after this time: 5s, 200ms …")
      ->type_name("TIME")
      ->check(time);
  app.add_flag("--quiet", options->quiet, "Say only what went wrong");
  return [options, output](Output&) {
    if (output->count() == 0 && options->mode == kTraceMode) options->output = kDefaultTrace;
    return record(*options);
  };
}

}  // namespace

const Verb kRecordVerb = {
    .name = "record",
    .summary = "Run a program and count its calls, or sample them, from start to end",
    .examples =
        "  bursar record -- java -jar app.jar      how often each call path ran, estimated\n"
        "  bursar record --mode exact -- java -jar app.jar      every call, at two or three times the CPU time\n"
        "  bursar record -o run.bursar --call-sites -- java -cp classes com.acme.Main input.txt\n"
        "  bursar record --mode sample -o run.bursar -- java -jar app.jar      where time goes, at hardly any cost\n"
        "  bursar record -o run.bursar --exclude 'java.*' --exclude 'jdk.*' -- java -jar app.jar\n"
        "  bursar record -o run-%p.bursar -- ./start.sh      a script that starts one JVM or several\n"
        "  bursar record --mode paths -o run.bursar -- java -jar app.jar      which paths through methods run\n"
        "  bursar record --mode trace -o run.trace --skip 5s --max-size 2G -- java -jar app.jar      for bursar "
        "simulate\n",
    .declare_with_program = declare,
    .notes =
        "A program called java gets the agent as its first option, any other one through JAVA_TOOL_OPTIONS for the\n"
        "JVMs it starts. In mode sample these also get -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints; in "
        "mode\n"
        "cbs -XX:+UseCountedLoopSafepoints -XX:LoopStripMiningIter=1000; in modes adaptive, burst, paths and\n"
        "exact-paths -XX:-DontCompileHugeMethods and -Xss4m; in modes exact and trace\n"
        "-XX:-OptimizeStringConcat -XX:-EliminateAutoBox "
        "-XX:-OmitStackTraceInFastThrow\n"
        "-XX:-DontCompileHugeMethods -XX:PerMethodRecompilationCutoff=-1 -XX:MaxNodeLimit=30000 and -Xss4m; a stack "
        "size\n"
        "of your own is multiplied by four.\n"
        "Several JVMs need %p in the name of the output, or one profile is lost. The profile is written when the\n"
        "JVM ends: normally, by System.exit, SIGTERM or SIGINT (Ctrl-C). A trace is written as the program runs, two\n"
        "bytes or less for most events; calls of virtual threads are not in it, which it says.\n"
        "What is sent to bursar (SIGTERM, SIGHUP, SIGINT …) goes on to the program. The agent is libbursar.so beside\n"
        "bursar or in ../lib, or what the variable BURSAR_AGENT names. JVMs: HotSpot 17 to 25.\n"
        "\n"
        "Exit status: the program's own; 128 + N if signal N ended it; 1 if that would be 0 but a profile could not "
        "be\n"
        "saved. If the program was not started: 1 failed (output in the way or not writable, no agent, wrong JVM);\n"
        "2 wrong usage; 126 the program cannot be run; 127 no such program. Messages go to stderr.\n",
};

}  // namespace bursar::cli
