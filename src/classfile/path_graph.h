// PathGraph: a method as paths see it: blocks, decisions, and where paths begin and end (paper 003, section 3.2).
//
// A path begins at the method's entry, at a loop header, or at an exception handler when that has caught something. It
// ends at a return, at a throw, or on arrival at a loop header. A conditional jump or switch with two targets or more
// is a decision; its successors are listed by outcome, as profiles number them.
//
// Exceptions are no edges: where an instruction other than a throw throws, the path that was under way is given up and
// belongs to no profile; the handler begins a new one. An exception that leaves the method ends no path either.
// Owner: who numbers its paths.
// Runs in: any thread that may allocate
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "classfile/code_attribute.h"
#include "classfile/control_flow.h"

namespace bursar::classfile {

// Why a method has no numbered paths. Every one but the first is counted and shown to the user by its name.
enum class PathRefusal : std::uint8_t {
  kNoBranch,      // nothing is ever decided: its one path tells nothing
  kSubroutine,    // jsr and ret: where a subroutine returns to depends on more than the path
  kIrreducible,   // a loop with two entries has no header that all ways into it pass
  kTooManyPaths,  // even with more places where paths end
};
inline constexpr std::array<std::string_view, 4> kPathRefusalNames = {"no-branch", "subroutine", "irreducible",
                                                                      "too-many-paths"};
constexpr std::string_view name(PathRefusal refusal) {
  return kPathRefusalNames[static_cast<std::size_t>(refusal)];
}

struct PathBlock {
  std::uint32_t pc = 0;                   // of its first instruction
  std::uint32_t last_pc = 0;              // of its last one: of the branch, if it decides
  std::vector<std::uint32_t> successors;  // by outcome; without exceptions
  bool reachable = false;
  bool joined = false;  // ordinary control flow leads here
  bool is_header = false;
  bool is_handler = false;

  bool decides() const { return successors.size() > 1; }
};

struct PathGraph {
  std::vector<PathBlock> blocks;  // in bytecode order; the method begins at the first

  static std::variant<PathGraph, PathRefusal> of(const CodeAttribute& code, const ControlFlow& flow);
};

}  // namespace bursar::classfile
