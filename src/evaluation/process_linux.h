// Running one command to its end, with its output in files. Owns the process and its group: nothing of the group
// outlives the call.
#pragma once

#include <csignal>
#include <string>
#include <vector>

#include "base/result.h"

namespace bursar::evaluation {

// Blocks what asks us to end (SIGINT, SIGTERM, SIGHUP) while it lives: run_process() answers it by ending what runs, so
// that what was done before stays. Threads started meanwhile inherit the mask. One at a time.
class AwaitedSignals {
 public:
  AwaitedSignals();
  ~AwaitedSignals();
  AwaitedSignals(const AwaitedSignals&) = delete;
  AwaitedSignals& operator=(const AwaitedSignals&) = delete;

  // One came, whether run_process() has taken it or not.
  bool asked_to_end() const;
  void note() { asked_ = true; }
  const sigset_t& all() const { return all_; }
  const sigset_t& before() const { return before_; }

 private:
  sigset_t all_{};  // SIGCHLD as well
  sigset_t before_{};
  bool asked_ = false;
};

struct Process {
  std::vector<std::string> words;             // the first is a path, or a name to be found along PATH
  std::string stdout_file;                    // replaced
  std::string stderr_file = {};               // replaced; our own stderr if empty
  std::vector<std::string> environment = {};  // NAME=value, besides ours
  double timeout_s = 0;                       // 0: none
};

struct ProcessEnd {
  int start_error = 0;  // errno if it did not even start
  int exit_status = 0;  // if no signal ended it
  int signal = 0;
  bool timed_out = false;
  bool interrupted = false;  // we were asked to end
  double wall_s = 0;
  double cpu_s = 0;     // user and system, of the process and of the children it waited for
  long max_rss_kb = 0;  // of the largest of them

  bool good() const { return start_error == 0 && exit_status == 0 && signal == 0 && !timed_out && !interrupted; }
};

// In a session of its own, with nothing to read. Asked to end (SIGTERM), it has some seconds to clean up.
ProcessEnd run_process(const Process& process, AwaitedSignals& signals);

// Why it did not end well: "exit status 3", "ended by signal 11 (Segmentation fault)" …
std::string reason(const ProcessEnd& end, const Process& process);

}  // namespace bursar::evaluation
