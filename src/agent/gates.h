// Gates: the places at which it is decided anew whether what a method calls is counted (docs/burst.md).
//
// Wherever a program stays for long there must be gates: loops that call something, and calls of a method by itself,
// known from its code. Where one such call lies behind another, the first is enough: what the second one calls has
// gates of its own. Most of them are passed so often that they are not needed; the gatekeeper closes those while the
// program runs. Owner: Session. Runs in: any
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classfile/probes.h"
#include "core/method_table.h"

namespace bursar::agent {

using GateNumber = std::uint32_t;

class Gates {
 public:
  // BursarProbe has a table of them.
  static constexpr GateNumber kMost = 1 << 18;
  // What a pass of one counts as (schemes::kUnitNs) until it is known. More than most are: a program's first loops may
  // be over before anybody has looked, and too many bursts there cost less than none.
  static constexpr std::int32_t kUnknownCost = 16;

  // A call that follows what was decided at the last gate before it.
  struct Call {
    std::uint32_t pc = 0;
    bool is_gate = false;                // itself
    bool follows = false;                // a gate that is a call, on every way to it
    std::vector<std::uint32_t> loops{};  // those around it that can be gates: where they begin
  };
  // Whether optimized code ends at gates where bursts begin, and the frame goes on in the interpreter (docs/burst.md).
  // Set before classes are loaded.
  void let_code_end() { code_ends_ = true; }
  // Not in this method, if the JIT could not take over a frame again that is in one of its loops.
  bool end_code(const classfile::MethodView& method) const;
  // In their order.
  std::vector<Call> calls(const classfile::MethodView& method) const;
  // Of the gate at this place of a method, always the same; nothing if there are too many.
  std::optional<GateNumber> number(core::MethodId method, std::uint32_t pc);
  // Where it is. Any number that number() gave.
  core::MethodId method_of(GateNumber gate) const;

  // Methods all of whose calls are gates, and then no others are: java/util/List.add.
  void name(std::string class_and_method) { named_.insert(std::move(class_and_method)); }

 private:
  bool code_ends_ = false;
  std::unordered_set<std::string> named_;  // does not change once classes are loaded
  mutable std::mutex lock_;
  std::unordered_map<std::uint64_t, GateNumber> numbers_;
  std::vector<core::MethodId> methods_;
};

}  // namespace bursar::agent
