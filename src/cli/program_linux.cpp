#include "cli/program_linux.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <string_view>

#include "cli/command.h"

namespace bursar::cli {

namespace {

constexpr std::array<int, 7> kPassedOn = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGINT, SIGQUIT};

// 0, or why it cannot be run.
int reason_not_to_run(const std::string& path) {
  struct stat info {};
  if (stat(path.c_str(), &info) != 0) return errno;
  if (S_ISDIR(info.st_mode)) return EISDIR;
  return access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

std::vector<char*> pointers(const std::vector<std::string>& words) {
  std::vector<char*> result;
  result.reserve(words.size() + 1);
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

// Blocks what we wait for while it lives. Nothing is set to ignored, since programs inherit that.
class BlockedSignals {
 public:
  BlockedSignals() {
    sigemptyset(&awaited_);
    for (const int signal : kPassedOn) sigaddset(&awaited_, signal);
    sigaddset(&awaited_, SIGCHLD);
    sigprocmask(SIG_BLOCK, &awaited_, &before_);
    // Where our parent ignores it, the kernel would throw the program's exit status away.
    std::signal(SIGCHLD, SIG_DFL);
  }
  ~BlockedSignals() {
    // A second Ctrl-C that came with the program's end is not for us either.
    const timespec at_once{};
    while (sigtimedwait(&awaited_, nullptr, &at_once) > 0) {
    }
    sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  BlockedSignals(const BlockedSignals&) = delete;
  BlockedSignals& operator=(const BlockedSignals&) = delete;

  const sigset_t& awaited() const { return awaited_; }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t awaited_{};
  sigset_t before_{};
};

// Not posix_spawn(), which leaves the C library's own two signals ignored in the program.
int spawn(pid_t& process, const std::string& path, const std::vector<std::string>& arguments,
          const std::vector<std::string>& environment, const sigset_t& mask) {
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> environment_pointers = pointers(environment);
  std::array<int, 2> failure{};  // a pipe that closes by itself when the program starts, or brings the error
  if (pipe2(failure.data(), O_CLOEXEC) != 0) return errno;
  process = fork();
  if (process == 0) {
    sigprocmask(SIG_SETMASK, &mask, nullptr);
    execve(path.c_str(), argument_pointers.data(), environment_pointers.data());
    const int error = errno;
    [[maybe_unused]] const ssize_t written = write(failure[1], &error, sizeof error);
    _exit(static_cast<int>(ExitStatus::kCannotRun));
  }
  int error = process < 0 ? errno : 0;
  close(failure[1]);
  if (process > 0 && read(failure[0], &error, sizeof error) > 0) waitpid(process, nullptr, 0);
  close(failure[0]);
  return error;
}

int wait_for(pid_t process, const sigset_t& awaited) {
  for (;;) {
    int status = 0;
    if (waitpid(process, &status, WNOHANG) == process) return status;
    siginfo_t info{};
    const int signal = sigwaitinfo(&awaited, &info);
    if (signal <= 0 || signal == SIGCHLD) continue;
    // A terminal sends its signals to the whole process group, the program included; an alarm is for us alone.
    const bool from_terminal = info.si_code == SI_KERNEL && signal != SIGALRM;
    if (!from_terminal) kill(process, signal);
  }
}

}  // namespace

ProgramFile find_program(const std::string& name) {
  if (name.empty()) return {.path = name, .error = ENOENT};
  if (name.find('/') != std::string::npos) return {.path = name, .error = reason_not_to_run(name)};
  const char* variable = std::getenv("PATH");
  std::string_view folders = variable != nullptr ? variable : "/bin:/usr/bin";
  ProgramFile found{.path = name, .error = ENOENT};
  for (;;) {
    const std::string folder(folders.substr(0, folders.find(':')));
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    const int error = reason_not_to_run(path);
    if (error == 0) return {.path = path};
    // As a shell, goes on looking, and remembers what was in the way.
    if (error != ENOENT && error != ENOTDIR && error != EISDIR) found = {.path = path, .error = error};
    if (folder.size() >= folders.size()) return found;
    folders.remove_prefix(folder.size() + 1);
  }
}

int exit_status_of(const ProgramEnd& end) {
  return end.signal != 0 ? kSignalBase + end.signal : end.exit_status;
}

ProgramEnd run_program(const std::string& path, const std::vector<std::string>& arguments,
                       const std::vector<std::string>& environment) {
  const BlockedSignals signals;
  ProgramEnd end;
  end.start_error = spawn(end.process, path, arguments, environment, signals.before());
  if (end.start_error == ENOEXEC) {
    // A script without a first line that names its interpreter: shells run it.
    std::vector<std::string> script = {"sh", path};
    script.insert(script.end(), arguments.begin() + 1, arguments.end());
    end.start_error = spawn(end.process, "/bin/sh", script, environment, signals.before());
  }
  if (end.start_error != 0) return end;
  const int status = wait_for(end.process, signals.awaited());
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_status = WEXITSTATUS(status);
  }
  return end;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

}  // namespace bursar::cli
