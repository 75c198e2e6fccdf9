#include "cli/advice_application.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <set>

#include "cli/agent_file.h"
#include "cli/agent_options.h"
#include "cli/agent_status.h"
#include "cli/files.h"
#include "cli/jvm_process_linux.h"
#include "cli/launch_plan.h"
#include "cli/message.h"
#include "cli/program_launch.h"
#include "cli/temporary_file.h"
#include "cli/text.h"

namespace bursar::cli {

namespace {

// The JVM says on its output how many it added: that is for stderr, for the program's own output may be read by others.
std::vector<std::string> jvm_options(const std::string& file, std::size_t directives) {
  return {"-XX:+UnlockDiagnosticVMOptions", "-XX:+DisplayVMOutputToStderr",
          fmt::format("-XX:CompilerDirectivesLimit={}", directives + 1),
          fmt::format("-XX:CompilerDirectivesFile={}", file)};
}

std::set<std::string> classes_of(const Advice& advice) {
  std::set<std::string> classes;
  for (const analysis::InlineRoot& root : advice.directives.roots) {
    classes.insert(advice.data.methods[root.method].class_name);
  }
  return classes;
}

// Not by a file beside it that takes its name: the JVM may read this one, and it is made already.
base::Status write_into(const std::string& path, const std::string& text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_TRUNC | O_NOFOLLOW | O_CLOEXEC);
  if (descriptor < 0) return base::Error{fmt::format("cannot write {}: {}", printable(path), std::strerror(errno))};
  Output out(descriptor, path);
  out.write(text);
  const base::Status written = out.flush();
  close(descriptor);
  return written;
}

class RunningJvm {
 public:
  RunningJvm(const JvmProcess& jvm, pid_t process) : jvm_(jvm), process_(process) {}

  base::Status add(const std::string& directives) const {
    const auto made = jvm_.make_file("directives");
    if (!made) return made.error();
    const FileThere file(jvm_, *made);
    const base::Status written = write_into(file.path_here(), directives);
    if (!written) return written;
    const auto answer = jvm_.diagnose("Compiler.directives_add " + file.path());
    if (!answer) return answer.error();
    if (answer->find("directives added") != std::string::npos) return base::Done{};
    const std::string problem = answer->substr(0, answer->find('\n'));
    return base::Error{
        fmt::format("process {} did not take the directives: {}; --limit N asks for fewer, and jcmd {} "
                    "Compiler.directives_clear removes those that are there",
                    process_, printable(problem), process_)};
  }

  // Of how many classes compiled code was thrown away. An agent's options must be short, so it is asked several times.
  base::Result<std::uint64_t> recompile(const std::set<std::string>& classes) const {
    const auto agent = find_agent(own_folder(), std::getenv("BURSAR_AGENT"));
    if (!agent) return agent.error();
    const auto made = jvm_.make_file("status");
    if (!made) return made.error();
    const FileThere status_file(jvm_, *made);
    AgentOptions to_agent{.mode = "sample", .action = "recompile", .status = status_file.path()};
    for (auto next = classes.begin(); next != classes.end();) {
      to_agent.include.clear();
      while (next != classes.end()) {
        to_agent.include.push_back(*next);
        if (to_agent.text().size() > kMaxAttachArgument && to_agent.include.size() > 1) {
          to_agent.include.pop_back();
          break;
        }
        ++next;
      }
      if (const base::Status loaded = jvm_.load(*agent, to_agent.text()); !loaded) return loaded.error();
    }
    const auto said = read_text(status_file.path_here());
    const AgentStatus status = said ? parse_agent_status(*said) : AgentStatus{};
    if (!status.errors.empty()) return base::Error{printable(status.errors.front())};
    return status.recompiled;
  }

 private:
  const JvmProcess& jvm_;
  pid_t process_;
};

}  // namespace

Ending run_with_advice(const Advice& advice, const Program& program, bool quiet) {
  const std::string& name = program.front();
  const FoundProgram found = look_up_program(name);
  if (found.problem) return *found.problem;
  const std::size_t count = advice.directives.roots.size();
  const auto file = TemporaryFile::create("directives", advice.directives.text);
  if (!file) return base::Status(file.error());
  if (count == 0 && !quiet)
    say("nothing to advise that HotSpot would not do by itself; the program runs without directives");
  const std::vector<std::string> options = count == 0 ? std::vector<std::string>() : jvm_options(file->path(), count);
  const LaunchPlan plan =
      plan_launch(program, own_environment(), found.java || count == 0, options, Frames::kAsTheyAre);
  // The program must not inherit that we ignore them.
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_DFL);
  const LaunchedProgram launched = launch(found, name, plan, quiet);
  if (launched.problem) return *launched.problem;
  return Ending(exit_status_of(launched.end));
}

base::Status apply_to_process(const Advice& advice, pid_t process, bool quiet) {
  const auto jvm = JvmProcess::find(process);
  if (!jvm) return jvm.error();
  const std::size_t count = advice.directives.roots.size();
  if (count == 0) {
    if (!quiet) say("nothing to advise that HotSpot would not do by itself; the JVM stays as it is");
    return base::Done{};
  }
  const RunningJvm running(*jvm, process);
  if (base::Status added = running.add(advice.directives.text); !added) return added;
  const auto classes = running.recompile(classes_of(advice));
  if (!classes) {
    return base::Error{fmt::format("{} added to process {}, for what is compiled from now on; older code stays: {}",
                                   counted(count, "directive"), process, classes.error().message)};
  }
  if (!quiet) {
    say(fmt::format("{} added to process {}; the compiled code of {} is thrown away", counted(count, "directive"),
                    process, *classes == 1 ? "1 class" : grouped(*classes) + " classes"));
  }
  return base::Done{};
}

}  // namespace bursar::cli
