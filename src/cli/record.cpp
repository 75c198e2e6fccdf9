// bursar record: a program, profiled from its start.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>

#include "cli/agent_file.h"
#include "cli/agent_options.h"
#include "cli/agent_status.h"
#include "cli/byte_size.h"
#include "cli/duration.h"
#include "cli/files.h"
#include "cli/java_release.h"
#include "cli/launch_plan.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/program_linux.h"
#include "cli/record_summary.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

namespace fs = std::filesystem;

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

constexpr const char* kDefaultOutput = "profile.bursar";
constexpr const char* kDefaultTrace = "profile.trace";
constexpr std::uint64_t kLeastTrace = 1 << 16;
constexpr std::uint64_t kNsInMs = 1'000'000;
constexpr std::uint64_t kLongestSkipNs = 1'000'000'000 * kNsInMs;

struct RecordOptions {
  Program program;
  std::string mode = "exact";
  std::string output = kDefaultOutput;
  bool force = false;
  bool call_sites = false;
  std::uint32_t max_contexts = 0;
  std::optional<std::uint64_t> max_size;
  std::optional<std::uint64_t> skip_ms;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
  bool quiet = false;
};

// The output as the agent will open it, whatever folder the program goes to; links stay, what they lead to is replaced.
std::string absolute_output(const std::string& output) {
  std::error_code failure;
  const fs::path resolved = fs::canonical(output, failure);
  return failure ? fs::absolute(output, failure).string() : resolved.string();
}

// Finds out now what would make the agent fail once the program has run.
base::Status check_output(const RecordOptions& options) {
  if (options.output.empty()) return base::Error{"the name of the output is empty"};
  if (const base::Status allowed = check_target({.path = options.output, .force = options.force}); !allowed) {
    return allowed;
  }
  std::error_code failure;
  const fs::file_status there = fs::status(options.output, failure);
  if (fs::exists(there) && !fs::is_regular_file(there)) {
    return base::Error{fmt::format("{} is not a regular file", printable(options.output))};
  }
  std::string trial = absolute_output(options.output) + ".XXXXXX";
  const int descriptor = mkostemp(trial.data(), O_CLOEXEC);
  if (descriptor < 0) {
    return base::Error{fmt::format("cannot write {}: {}", printable(options.output), std::strerror(errno))};
  }
  close(descriptor);
  unlink(trial.c_str());
  return base::Done{};
}

Ending cannot_run(const std::string& name, int error) {
  const bool missing = error == ENOENT || error == ENOTDIR;
  return {missing ? ExitStatus::kProgramNotFound : ExitStatus::kCannotRun,
          fmt::format("cannot run {}: {}", printable(shell_quoted(name)),
                      missing ? "no such program" : std::strerror(error))};
}

std::vector<std::string> jvm_options(const RecordOptions& options, const std::string& agent,
                                     const std::string& status) {
  const AgentOptions to_agent{
      .mode = options.mode,
      .output = absolute_output(options.output),
      .call_sites = options.call_sites,
      .max_contexts = options.max_contexts == 0 ? std::nullopt : std::optional(options.max_contexts),
      .max_size = options.max_size,
      .skip_ms = options.skip_ms,
      .include = options.include,
      .exclude = options.exclude,
      .status = status,
      .command = command_line(options.program, kMaxCommandBytes),
  };
  std::vector<std::string> result = {fmt::format("-agentpath:{}={}", agent, to_agent.text())};
  result.insert(result.end(), std::begin(kExactJvmOptions), std::end(kExactJvmOptions));
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

std::string misplaced_option(const RecordOptions& options) {
  if (options.mode == "trace") {
    return options.call_sites ? "a trace keeps call sites in any case: --call-sites is for the other modes" : "";
  }
  if (options.max_size || options.skip_ms) return "--max-size and --skip are for --mode trace";
  return "";
}

Ending record(const RecordOptions& options) {
  if (const std::string problem = misplaced_option(options); !problem.empty()) return {ExitStatus::kUsage, problem};
  if (const base::Status writable = check_output(options); !writable) return writable;
  const std::string& name = options.program.front();
  const ProgramFile file = find_program(name);
  if (file.error != 0) return cannot_run(name, file.error);
  std::error_code failure;
  const std::string real_path = fs::canonical(file.path, failure).string();
  const bool java = is_java(name, real_path);
  if (java) {
    if (const base::Status suited = check_java(real_path); !suited) return suited;
  }
  const auto agent = find_agent(own_folder(), std::getenv("BURSAR_AGENT"));
  if (!agent) return base::Status(agent.error());
  const auto status_file = AgentStatusFile::create();
  if (!status_file) return base::Status(status_file.error());

  const LaunchPlan plan =
      plan_launch(options.program, own_environment(), java, jvm_options(options, *agent, status_file->path()));
  if (plan.through_environment && !options.quiet) {
    say(fmt::format("{} is not java: its JVMs are told through JAVA_TOOL_OPTIONS, and print a line about it",
                    printable(shell_quoted(name))));
  }
  const std::time_t start = std::time(nullptr);
  const ProgramEnd end = run_program(file.path, plan.arguments, plan.environment);
  // The exit status is worth more than a word to a reader that went away.
  std::signal(SIGPIPE, SIG_IGN);
  if (end.start_error == ENOENT) {
    return {ExitStatus::kCannotRun,
            fmt::format("cannot run {}: the interpreter in its first line is missing", printable(shell_quoted(name)))};
  }
  if (end.start_error != 0) return cannot_run(name, end.start_error);

  const auto said = read_text(status_file->path());
  const RecordSummary summary = summarise({.output = options.output,
                                           .through_environment = plan.through_environment,
                                           .traced = options.mode == "trace",
                                           .end = end,
                                           .status = said ? parse_agent_status(*said) : AgentStatus{},
                                           .crash_report = find_crash_report(end.process, start)});
  if (!options.quiet) {
    for (const std::string& line : summary.successes) say(line);
  }
  for (const std::string& line : summary.failures) say(line);
  return Ending(summary.exit_status);
}

Action declare(CLI::App& app, Program program) {
  const auto options = std::make_shared<RecordOptions>();
  options->program = std::move(program);
  const CLI::Validator pattern{[](std::string& text) { return pattern_problem(text); }, ""};
  const CLI::Validator size{[](std::string& text) {
                              const auto bytes = parse_byte_size(text);
                              return bytes && *bytes >= kLeastTrace
                                         ? ""
                                         : fmt::format("{} is not a size from 64K on, such as 100M or 2G",
                                                       printable(text));
                            },
                            ""};
  const CLI::Validator time{[](std::string& text) {
                              const auto ns = parse_duration(text);
                              return ns && *ns <= kLongestSkipNs
                                         ? ""
                                         : fmt::format("{} is not {}, up to 1000000s", printable(text), kDurationForm);
                            },
                            ""};
  app.add_option("--mode", options->mode,
                 "exact (unless given): count every call; trace: write down every call and return, with its time")
      ->type_name("MODE")
      ->check(one_of({"exact", "trace"}));
  CLI::Option* const output = app.add_option(
      "-o,--output", options->output,
      "The profile; profile.bursar unless given, or profile.trace. %p becomes the process id of the JVM");
  output->type_name("FILE");
  app.add_flag("--force", options->force, "Replace an existing output");
  app.add_flag("--call-sites", options->call_sites, "Keep calls from different places of a method apart");
  app.add_option("--include", options->include,
                 "Only java.util.*, com.acme.Foo, com.acme.Foo.bar …; * is any text; may be given again")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->check(pattern);
  app.add_option("--exclude", options->exclude, "Not these, in the same way; may be given again")
      ->type_name("PATTERN")
      ->allow_extra_args(false)
      ->check(pattern);
  app.add_option("--max-contexts", options->max_contexts,
                 "Keep at most so many contexts apart; 20,000,000 unless given (about 3 GB)")
      ->type_name("N")
      ->check(positive_number());
  app.add_option_function<std::string>(
         "--max-size", [options](const std::string& text) { options->max_size = parse_byte_size(text); },
         "Of a trace, which ends there while the program goes on; 1G unless given")
      ->type_name("SIZE")
      ->check(size);
  app.add_option_function<std::string>(
         "--skip", [options](const std::string& text) { options->skip_ms = *parse_duration(text) / kNsInMs; },
         "A trace begins after this time: 5s, 200ms …")
      ->type_name("TIME")
      ->check(time);
  app.add_flag("--quiet", options->quiet, "Say only what went wrong");
  return [options, output](Output&) {
    if (output->count() == 0 && options->mode == "trace") options->output = kDefaultTrace;
    return record(*options);
  };
}

}  // namespace

const Verb kRecordVerb = {
    .name = "record",
    .summary = "Run a program and count its calls, from start to end",
    .examples =
        "  bursar record -- java -jar app.jar\n"
        "  bursar record -o run.bursar --call-sites -- java -cp classes com.acme.Main input.txt\n"
        "  bursar record -o run.bursar --exclude 'java.*' --exclude 'jdk.*' -- java -jar app.jar\n"
        "  bursar record -o run-%p.bursar -- ./start.sh      a script that starts one JVM or several\n"
        "  bursar record --mode trace -o run.trace --skip 5s --max-size 2G -- java -jar app.jar      for bursar "
        "simulate\n",
    .declare_with_program = declare,
    .notes =
        "A program called java gets the agent as its first option, any other one through JAVA_TOOL_OPTIONS for the\n"
        "JVMs it starts. These also get -XX:-OptimizeStringConcat -XX:-EliminateAutoBox "
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
