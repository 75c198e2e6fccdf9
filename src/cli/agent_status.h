// AgentStatus: what the agents of a run said when their JVMs ended.
//
// Lines key=value, appended to a file that the command makes and removes: contexts=N, calls=N, samples=N, paths=N
// or path_samples=N, edges=N,
// and saved=PATH for a profile that is saved, events=N, note=TEXT (what it lacks) and saved=PATH for a trace,
// error=TEXT for one that is not. A JVM that never came to its end adds nothing. `attach` also hears recording=MODE (or
// nothing), with output=PATH and duration_ns=N, and `advise` recompiled=N, classes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace bursar::cli {

struct AgentStatus {
  std::uint64_t saved = 0;  // profiles
  std::uint64_t calls = 0;  // of all of them
  std::uint64_t samples = 0;
  bool has_samples = false;        // not calls
  std::uint64_t paths = 0;         // how many ran, not how many there are
  std::uint64_t path_samples = 0;  // or how many samples were taken of them
  std::uint64_t contexts = 0;
  std::uint64_t edges = 0;  // of profiles without contexts
  std::uint64_t events = 0;
  std::uint64_t recompiled = 0;  // classes whose compiled code was thrown away
  std::vector<std::string> notes;
  std::vector<std::string> outputs;
  std::vector<std::string> errors;
  std::string recording;  // the mode, or "nothing"
  std::string output;     // of what is being recorded
  std::uint64_t duration_ns = 0;

  bool silent() const { return saved == 0 && errors.empty(); }
};

AgentStatus parse_agent_status(std::string_view text);

}  // namespace bursar::cli
