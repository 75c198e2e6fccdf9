// AgentOptions: what the command tells the agent in the JVM, and how it is written behind -agentpath:libbursar.so=
//
//   mode=exact,output=/home/me/run.bursar,call_sites=1,max_contexts=1000,include=com.acme.*,status=/tmp/…,command=java
//   …
// Pairs key=value, separated by commas; "," "=" and "%" in a value are written %2C %3D %25. include and exclude repeat.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bursar::cli {

struct AgentOptions {
  std::string mode;
  std::string output = {};  // absolute; the agent replaces %p by the process id
  bool call_sites = false;
  std::optional<std::uint32_t> max_contexts = {};
  std::optional<std::uint64_t> max_size = {};  // of a trace, in bytes
  std::optional<std::uint64_t> skip_ms = {};   // before a trace begins
  std::vector<std::string> include = {};
  std::vector<std::string> exclude = {};
  std::optional<std::uint64_t> interval_ns = {};
  std::optional<std::uint64_t> seed = {};
  std::string clock = {};  // of mode sample: cpu, wall
  std::string walks = {};  // full, new, check
  bool tune = false;       // the interval is found while it runs
  std::optional<std::uint64_t> min_interval_ns = {}, max_interval_ns = {};
  std::optional<std::uint64_t> burst_ns = {};
  std::optional<double> reenable = {};
  std::optional<std::uint32_t> history = {};
  std::string collision = {};
  std::optional<std::uint32_t> samples = {};  // of paths, of calls
  std::optional<std::uint32_t> stride = {};
  std::optional<std::uint64_t> window_ns = {};
  std::string placement = {};                  // code, profile, worst
  std::optional<std::uint64_t> first_ns = {};  // how long paths are sampled
  std::string correct = {};                    // of mode cbs: none, density, density+latency
  std::optional<double> lambda = {}, alpha = {};
  std::string density = {};  // any, hardware, software
  std::string action = {};   // what `attach` wants: start, stop, dump, status
  std::string status = {};   // the file in which the agent says how it went
  std::string command = {};  // for people who read the profile

  std::string text() const;
};

// A class, a method or, with * for any text, many: com.acme.Foo, com.acme.Foo.bar, com.acme.*. What is wrong with the
// pattern, or nothing.
std::string pattern_problem(std::string_view pattern);

// As it could be typed into a shell.
std::string shell_quoted(std::string_view word);
// The words as one line, cut to `max_bytes` between characters.
std::string command_line(const std::vector<std::string>& words, std::size_t max_bytes);

}  // namespace bursar::cli
