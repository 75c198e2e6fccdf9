// bursar attach: a running JVM, profiled for a while.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <ctime>
#include <memory>
#include <optional>

#include "cli/agent_file.h"
#include "cli/agent_status.h"
#include "cli/duration.h"
#include "cli/files.h"
#include "cli/jvm_process_linux.h"
#include "cli/message.h"
#include "cli/option_checks.h"
#include "cli/profile_output.h"
#include "cli/record_modes.h"
#include "cli/record_summary.h"
#include "cli/recording_options.h"
#include "cli/running_jvms_linux.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

constexpr const char* kAgentName = "libbursar.so";

struct AttachOptions {
  std::string jvm;  // a process number, a part of a main class or jar, or empty: the only one
  pid_t process = 0;
  std::string action;  // empty: start, wait, stop
  std::string mode = kSampleMode;
  std::string duration = "30s";
  std::string output;
  bool force = false;
  RecordingOptions recording;
  bool quiet = false;

  std::string output_or_default() const { return output.empty() ? "profile.bursar" : output; }
};

const std::vector<std::string>& actions() {
  static const std::vector<std::string> words = {"start", "stop", "dump", "status"};
  return words;
}

// Signals that end the wait, not us.
class Interrupts {
 public:
  Interrupts() {
    sigemptyset(&awaited_);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&awaited_, number);
    sigprocmask(SIG_BLOCK, &awaited_, nullptr);
  }
  // Whether one came within that time.
  bool come_within(std::uint64_t ns) const {
    const timespec time{static_cast<std::time_t>(ns / 1'000'000'000), static_cast<long>(ns % 1'000'000'000)};
    return sigtimedwait(&awaited_, nullptr, &time) > 0;
  }

 private:
  sigset_t awaited_{};
};

class Attachment {
 public:
  Attachment(const AttachOptions& options, const JvmProcess& jvm, std::string agent)
      : options_(options), jvm_(jvm), agent_(std::move(agent)) {}

  base::Status run(Output& out) {
    const auto status = jvm_.make_file("status");
    if (!status) return status.error();
    status_.emplace(jvm_, *status);
    if (options_.action == "status") return show_status(out);
    if (options_.action == "start") return start(absolute_output(options_.output_or_default()));
    return jvm_.shares_our_files() ? record_or_stop(absolute_output(options_.output_or_default())) : hand_over();
  }

 private:
  // What the agent says to this.
  base::Result<AgentStatus> ask(AgentOptions to_agent) {
    to_agent.status = status_->path();
    truncate(status_->path_here().c_str(), 0);
    if (const base::Status loaded = jvm_.load(agent_, to_agent.text()); !loaded) return loaded.error();
    return answer();
  }

  base::Result<AgentStatus> answer() const {
    const auto said = read_text(status_->path_here());
    AgentStatus status = said ? parse_agent_status(*said) : AgentStatus{};
    if (!status.errors.empty()) return base::Error{printable(status.errors.front())};
    return status;
  }

  base::Status start(const std::string& output) {
    AgentOptions to_agent = options_.recording.to_agent(options_.mode);
    to_agent.action = "start";
    to_agent.output = output;
    const auto started = ask(std::move(to_agent));
    if (!started) return started.error();
    if (started->recording.empty()) {
      return base::Error{fmt::format("the agent in process {} says nothing; its own messages are on the JVM's stderr",
                                     options_.process)};
    }
    return base::Done{};
  }

  // The JVM cannot write where we can: it leaves the profile in its own /tmp.
  base::Status hand_over() {
    const auto made = jvm_.make_file("profile");
    if (!made) return made.error();
    const FileThere file(jvm_, *made);
    if (base::Status done = record_or_stop(file.path()); !done) return done;
    const auto bytes = read_text(file.path_here());
    if (!bytes) return bytes.error();
    return write_target({.path = options_.output_or_default(), .force = options_.force},
                        [&](Output& out) { out.write(*bytes); });
  }

  base::Status record_or_stop(const std::string& output) {
    if (!options_.action.empty()) {
      AgentOptions to_agent{.mode = options_.mode, .action = options_.action};
      if (!options_.output.empty() || !jvm_.shares_our_files()) to_agent.output = output;
      return report(ask(std::move(to_agent)));
    }
    const Interrupts interrupts;
    if (base::Status started = start(output); !started) return started;
    if (wait(interrupts)) return report(ask({.mode = options_.mode, .action = "stop"}));
    return report(answer());
  }

  // False if the JVM ended.
  bool wait(const Interrupts& interrupts) const {
    constexpr std::uint64_t kStepNs = 50'000'000;
    std::uint64_t left_ns = *parse_duration(options_.duration);
    const Progress progress(fmt::format("sampling process {}; Ctrl-C ends it early and saves", options_.process));
    while (left_ns > 0) {
      const std::uint64_t step = std::min(left_ns, kStepNs);
      if (interrupts.come_within(step)) return true;
      if (!jvm_.is_alive()) return false;
      left_ns -= step;
    }
    return true;
  }

  base::Status report(const base::Result<AgentStatus>& status) const {
    if (!status) return base::Error{fmt::format("nothing was saved: {}", status.error().message)};
    if (status->saved == 0) {
      return base::Error{fmt::format("nothing was saved: process {} ended before it could save", options_.process)};
    }
    if (options_.quiet) return base::Done{};
    std::string output = options_.output_or_default();
    if (options_.output.empty() && !options_.action.empty() && jvm_.shares_our_files() && !status->outputs.empty()) {
      output = status->outputs.front();
    }
    const std::string file = printable(shell_quoted(output));
    say(fmt::format("{} → {} (bursar report {})", saved_amount(*status), file, file));
    return base::Done{};
  }

  base::Status show_status(Output& out) {
    const auto status = ask({.mode = options_.mode, .action = "status"});
    if (!status) return status.error();
    if (status->recording.empty() || status->recording == "nothing") {
      out.write("nothing is being recorded\n");
    } else if (status->output.empty()) {
      out.write(fmt::format("mode {}, from the JVM's start to its end\n", printable(status->recording)));
    } else {
      out.write(fmt::format("mode {}, {:.1f} s, {} so far → {}\n", printable(status->recording),
                            static_cast<double>(status->duration_ns) / 1e9, counted(status->samples, "sample"),
                            printable(status->output)));
    }
    return base::Done{};
  }

  const AttachOptions& options_;
  const JvmProcess& jvm_;
  const std::string agent_;
  std::optional<FileThere> status_;
};

bool is_action(const std::string& word) {
  const std::vector<std::string>& words = actions();
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Which JVM, and which file.
base::Status settle(AttachOptions& options) {
  const auto process =
      choose_jvm(options.jvm, options.jvm.empty() || !std::isdigit(static_cast<unsigned char>(options.jvm[0]))
                                  ? running_jvms()
                                  : std::vector<RunningJvm>());
  if (!process) return process.error();
  options.process = *process;
  options.output = expand_file_pattern(options.output, options.process, time_for_files());
  return base::Done{};
}

base::Status attach(const AttachOptions& options, Output& out) {
  const bool begins = options.action.empty() || options.action == "start";
  const bool writes = options.action != "status" && (begins || !options.output.empty());
  if (writes) {
    if (base::Status writable = check_output(options.output_or_default(), options.force); !writable) return writable;
  }
  const auto jvm = JvmProcess::find(options.process);
  if (!jvm) return jvm.error();
  // Nothing to ask: do not touch it.
  if (!begins && !jvm->has_loaded(kAgentName)) {
    if (options.action != "status") {
      return base::Error{fmt::format("nothing is being recorded in process {}", options.process)};
    }
    out.write("nothing is being recorded\n");
    return base::Done{};
  }
  const auto agent = find_agent(own_folder(), std::getenv("BURSAR_AGENT"));
  if (!agent) return agent.error();
  return Attachment(options, *jvm, *agent).run(out);
}

CLI::Validator attachable_mode() {
  return {[](std::string& text) {
            const std::vector<RecordMode>& modes = record_modes();
            const auto mode = std::ranges::find(modes, text, &RecordMode::name);
            if (mode == modes.end()) return fmt::format("{} is unknown; there is {}", printable(text), kSampleMode);
            if (mode->from_start.empty()) return std::string();
            return fmt::format(
                "mode {} cannot begin in a JVM that runs already: {}. Start the program by bursar record --mode {} -- "
                "java …, or attach in mode {}, which tells where time goes",
                text, mode->from_start, text, kSampleMode);
          },
          ""};
}

CLI::Validator some_time() {
  return {[](std::string& text) {
            const auto duration = parse_duration(text);
            if (!duration) return duration.error().message;
            return *duration > 0 ? std::string() : fmt::format("{} is no time at all", text);
          },
          ""};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<AttachOptions>();
  app.add_option("JVM", options->jvm,
                 "Its process number, or a part of its main class or jar; the only one that runs unless given");
  app.add_option("ACTION", options->action,
                 "start, stop, dump (save what there is and go on) or status; without one: start, wait, stop")
      ->check(one_of(actions()));
  app.add_option("--mode", options->mode, "sample: look at running threads every 10 ms")
      ->type_name("MODE")
      ->check(attachable_mode());
  app.add_option("--duration", options->duration, "How long; 30s unless given. Ctrl-C ends it early and saves")
      ->type_name("TIME")
      ->check(some_time());
  app.add_option("-o,--output", options->output,
                 "The profile; profile.bursar unless given, and for stop and dump what start was told. %p is the\n"
                 "process, %t the time, %n the first number that is free")
      ->type_name("FILE");
  app.add_flag("--force", options->force, "Replace an existing output");
  declare_recording_options(app, options->recording, {kSampleMode});
  app.add_flag("--quiet", options->quiet, "Say only what went wrong");
  return [options](Output& out) -> Ending {
    if (options->action.empty() && is_action(options->jvm)) std::swap(options->action, options->jvm);
    const std::string problem = misplaced_scheme_option(options->recording, options->mode);
    if (!problem.empty()) return {ExitStatus::kUsage, problem};
    if (base::Status settled = settle(*options); !settled) return settled;
    return attach(*options, out);
  };
}

}  // namespace

const Verb kAttachVerb = {
    .name = "attach",
    .summary = "Profile a JVM that runs already, for a while",
    .examples =
        "  bursar attach 4711 --duration 10s -o run.bursar\n"
        "  bursar attach --duration 10s                     the only JVM that runs\n"
        "  bursar attach acme.Server -o server-%t.bursar    the one whose main class or jar has this in it\n"
        "  bursar attach 4711 start -o /tmp/run.bursar      go on while it samples\n"
        "  bursar attach 4711 status\n"
        "  bursar attach 4711 dump -o /tmp/so-far.bursar\n"
        "  bursar attach 4711 stop\n",
    .declare = declare,
    .notes =
        "Mode sample only; --mode with another one says why not, and what to do instead. No class is changed.\n"
        "Needs the JVM's own user, or root, and the JVM's attach mechanism (not -XX:+DisableAttachMechanism).\n"
        "JDK 21 and later warn on the JVM's stderr that an agent was loaded; -XX:+EnableDynamicAgentLoading\n"
        "at its start keeps them quiet. Code compiled before is described less finely than in a JVM that bursar "
        "record\n"
        "started; -XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints at its start make up for that.\n"
        "If the JVM ends first, the profile is saved then. After start the JVM itself writes the output, as its user\n"
        "and, in a container, there; otherwise bursar does. The agent must lie at the same path in a container.\n"
        "\n"
        "Exit status: 0 done; 1 failed (no such process, no JVM or several, not allowed, output in the way …); 2 wrong "
        "usage.\n",
};

}  // namespace bursar::cli
