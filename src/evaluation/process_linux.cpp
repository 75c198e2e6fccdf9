#include "evaluation/process_linux.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>

namespace bursar::evaluation {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array<int, 3> kEndings = {SIGINT, SIGTERM, SIGHUP};
// bench/slowdown in turn gives a JVM five.
constexpr auto kGrace = std::chrono::seconds(15);

bool is_ignored(int signal) {
  struct sigaction action {};
  return sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool redirect(const std::string& file, int flags, int descriptor) {
  const int opened = open(file.c_str(), flags, 0666);
  return opened >= 0 && dup2(opened, descriptor) >= 0;
}

[[noreturn]] void become(const Process& process, char* const* words, const sigset_t& mask, int failure) {
  setsid();
  // The command ignores both for its own output; programs would inherit that.
  std::signal(SIGPIPE, SIG_DFL);
  std::signal(SIGXFSZ, SIG_DFL);
  sigprocmask(SIG_SETMASK, &mask, nullptr);
  constexpr int kWrite = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
  const bool redirected = redirect("/dev/null", O_RDONLY | O_CLOEXEC, STDIN_FILENO) &&
                          redirect(process.stdout_file, kWrite, STDOUT_FILENO) &&
                          (process.stderr_file.empty() || redirect(process.stderr_file, kWrite, STDERR_FILENO));
  if (redirected) {
    for (const std::string& entry : process.environment) putenv(const_cast<char*>(entry.c_str()));
    execvp(words[0], words);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(failure, &error, sizeof error);
  _exit(127);
}

// errno if it did not start.
int start(pid_t& child, const Process& process, const sigset_t& mask) {
  std::vector<char*> words;
  for (const std::string& word : process.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  std::array<int, 2> failure{};  // closes by itself when the program starts, or brings the error
  if (pipe2(failure.data(), O_CLOEXEC) != 0) return errno;
  child = fork();
  if (child == 0) become(process, words.data(), mask, failure[1]);
  int error = child < 0 ? errno : 0;
  close(failure[1]);
  if (child > 0 && read(failure[0], &error, sizeof error) > 0) waitpid(child, nullptr, 0);
  close(failure[0]);
  return error;
}

bool has_ended(pid_t child) {
  siginfo_t info{};
  return waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

timespec until(Clock::time_point deadline) {
  const auto left = std::max(deadline - Clock::now(), Clock::duration::zero());
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  return {.tv_sec = seconds.count(),
          .tv_nsec = std::chrono::duration_cast<std::chrono::nanoseconds>(left - seconds).count()};
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// Until the child has ended; it is not reaped, so that the number of its group stays taken.
void wait_for_end(pid_t child, double timeout_s, AwaitedSignals& signals, ProcessEnd& end) {
  const Clock::time_point start = Clock::now();
  constexpr auto kNever = std::chrono::hours(24 * 365);
  auto deadline = start + kNever;
  if (timeout_s > 0) deadline = start + std::chrono::milliseconds(std::llround(timeout_s * 1000));
  bool asked = false;
  const auto ask = [&] {
    kill(-child, asked ? SIGKILL : SIGTERM);
    asked = true;
    deadline = Clock::now() + kGrace;
  };
  while (!has_ended(child)) {
    const timespec wait = until(deadline);
    const int signal = sigtimedwait(&signals.all(), nullptr, &wait);
    if (signal > 0 && signal != SIGCHLD) {
      end.interrupted = true;
      signals.note();
      ask();
    } else if (Clock::now() >= deadline) {
      end.timed_out = end.timed_out || !end.interrupted;
      ask();
    }
  }
}

}  // namespace

AwaitedSignals::AwaitedSignals() {
  sigemptyset(&all_);
  sigaddset(&all_, SIGCHLD);
  for (const int signal : kEndings) {
    if (!is_ignored(signal)) sigaddset(&all_, signal);  // nohup
  }
  sigprocmask(SIG_BLOCK, &all_, &before_);
  std::signal(SIGCHLD, SIG_DFL);
}

AwaitedSignals::~AwaitedSignals() {
  const timespec at_once{};
  while (sigtimedwait(&all_, nullptr, &at_once) > 0) {
  }
  sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool AwaitedSignals::asked_to_end() const {
  sigset_t waiting{};
  sigpending(&waiting);
  return asked_ ||
         std::any_of(kEndings.begin(), kEndings.end(), [&](int signal) { return sigismember(&waiting, signal) == 1; });
}

ProcessEnd run_process(const Process& process, AwaitedSignals& signals) {
  ProcessEnd end;
  pid_t child = 0;
  const Clock::time_point begin = Clock::now();
  end.start_error = start(child, process, signals.before());
  if (end.start_error != 0) return end;
  wait_for_end(child, process.timeout_s, signals, end);
  end.wall_s = std::chrono::duration<double>(Clock::now() - begin).count();
  kill(-child, SIGKILL);  // what it left behind
  int status = 0;
  rusage used{};
  wait4(child, &status, 0, &used);
  end.cpu_s = seconds_of(used.ru_utime) + seconds_of(used.ru_stime);
  end.max_rss_kb = used.ru_maxrss;
  if (WIFSIGNALED(status)) {
    end.signal = WTERMSIG(status);
  } else {
    end.exit_status = WEXITSTATUS(status);
  }
  return end;
}

std::string reason(const ProcessEnd& end, const Process& process) {
  if (end.start_error != 0) return fmt::format("cannot run {}: {}", process.words[0], std::strerror(end.start_error));
  if (end.interrupted) return "interrupted";
  if (end.timed_out) return fmt::format("still running after {:g} s", process.timeout_s);
  if (end.signal != 0) return fmt::format("ended by signal {} ({})", end.signal, strsignal(end.signal));
  return fmt::format("exit status {}", end.exit_status);
}

}  // namespace bursar::evaluation
