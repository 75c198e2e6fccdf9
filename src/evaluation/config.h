// Config: what is evaluated, and how. What results depend on is among the settings; what may grow from one start to
// the next (workloads, runs) is not.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "evaluation/json.h"
#include "evaluation/path_variants.h"
#include "evaluation/workloads.h"

namespace bursar::evaluation {

// The mode whose first run is the truth, and whose second one shows how far two truths agree.
inline constexpr const char* kExact = "exact";
inline bool is_exact(const std::string& profiler) {
  return profiler == kExact || profiler == kExactPaths;
}
inline constexpr const char* kSample = "sample";  // what is repeated unless told otherwise
inline constexpr const char* kJfr = "jfr";
inline constexpr std::uint32_t kMostEstimates = 3;
// Beside the profilers in a plan: the program alone, and a trace of it for the simulations.
inline constexpr const char* kBaseline = "baseline";
inline constexpr const char* kTrace = "trace";
// The name of the user's own program among the workloads.
inline constexpr const char* kProgram = "program";

// What schemes would have made of the run that a trace is of, as JSON (summary.h: simulation). May give up once
// `stop` says so.
using TraceStudy = std::function<base::Result<Json>(const std::string& trace, const std::function<bool()>& stop)>;

struct Config {
  Workloads workloads;
  std::vector<std::string> names = {};  // of the workloads to run
  std::vector<std::string> program =
      {};                               // the user's own, instead of workloads; the first word is a path if it is java
  std::vector<std::string> modes = {};  // of ours; or names of studies.h, or of path_variants.h
  std::vector<std::string> peers = {};  // other profilers
  std::uint32_t runs = 5;               // rounds of slowdown; estimates of accuracy, up to three
  std::uint32_t repeat = 0;             // runs to be compared with each other, instead of all else
  std::string interval = {};            // of mode sample, in repeated runs; empty: as usual
  std::uint32_t iterations = 20;        // of an accuracy run; measured ones of a slowdown run
  std::uint32_t warmup_iterations = 20;
  double warmup_seconds = 30;
  double timeout_s = 1800;  // for one run
  std::string jdk = {};     // empty: what the workloads' script takes
  std::string folder = {};  // where results go; absolute
  bool paths = false;       // the path modes are judged, and nothing else
  bool accuracy = true;
  bool slowdown = true;
  bool simulation = true;
  std::uint64_t trace_bytes = 0;  // at most
  TraceStudy study = {};
  bool keep_profiles = false;
  bool retry_failed = false;
  std::string bursar = {};       // the command itself
  std::string bursar_word = {};  // the same, quoted for a shell
  std::string folder_word = {};  // so is this one
  std::string agent = {};        // the file of the agent

  // Modes, then peers.
  std::vector<std::string> profilers() const;
  bool is_peer(const std::string& profiler) const;
  // Those that are held against the truth: all but ways to take advice.
  std::vector<std::string> judged() const;
  std::vector<std::string> advised() const;
  // Whether advice is taken from this profiler's first profile.
  bool is_advice_source(const std::string& profiler) const;
  bool judges_program() const { return !program.empty(); }
  std::string profile_file(const std::string& workload, const std::string& profiler, std::uint32_t run) const;
  const char* truth() const { return paths ? kExactPaths : kExact; }
  std::string truth_file(const std::string& workload) const { return profile_file(workload, truth(), 1); }
  std::string scratch(const std::string& name) const { return folder + "/scratch/" + name; }
};

// Everything that a run depends on. `java`: the launcher the workloads start with.
Json settings_of(const Config& config, const std::string& java);

// Of the JDK that a launcher belongs to, as its file `release` says; empty if it does not.
std::string jdk_version(const std::string& java);

}  // namespace bursar::evaluation
