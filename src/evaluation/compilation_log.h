// What C2 made in one run, from HotSpot's own log: code that is in use at the end, calls inlined in it.
//
// The log is nearly XML: a line holds one element. Compilations are in it one after the other, <task> to </task>; each
// leaves an <nmethod>, and what was thrown away later has a <make_not_entrant> with its number.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "evaluation/json.h"

namespace bursar::evaluation {

struct CompiledCode {
  std::uint64_t methods = 0;
  std::uint64_t code_bytes = 0;  // machine instructions
  std::uint64_t inlined_calls = 0;
  std::uint64_t forced_calls = 0;  // those of them that a directive asked for

  bool operator==(const CompiledCode&) const = default;
};

// With which a JVM writes its log to a file.
std::vector<std::string> compilation_log_options(const std::string& file);

CompiledCode read_compilation_log(std::istream& lines);

Json to_json(const CompiledCode& code);

}  // namespace bursar::evaluation
