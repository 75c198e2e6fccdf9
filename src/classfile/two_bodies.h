// Two bodies in one method: which of them an invocation runs is decided at its start.
//
//   if (choose(argument)) second body; else first body
//
// Both are whole Code attributes of the same method. `choose` is a static method (I)Z. Bodies are moved as they are:
// the first starts at kFirstBody, the second behind it, at multiples of 4 that keep switches as they were.
//
// Loops may be shared: then the body is chosen anew at every pass of the loop's header, by a local variable, the mark.
//
//   first body's header:   if (closed) goto rest; … if (x < 0) reload; if (mark != 0) goto second body's rest; rest: …
//   second body's header:  if (!closed) goto first body's header; rest: …
//
// So a loop still has one header, and the JIT finds it; and if it knows that the loop is closed there are two loops
// that have nothing to do with each other. What stands before these jumps is the instrumentation's
// (Snippet::exit_place, three times in the first body, once in the second). To reload is
//   passes = passes(argument); mark = mark(); state = state(); goto first body's header
// Both bodies keep the locals that this needs in the same slots.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "classfile/class_file.h"

namespace bursar::classfile {

inline constexpr std::uint32_t kFirstBody = 16;

// Where the second body starts behind a first one of this size.
constexpr std::uint32_t second_body(std::uint32_t first_size) {
  return (kFirstBody + first_size + 3) / 4 * 4;
}

struct Choice {
  std::string_view class_name, name;
  std::int32_t argument = 0;
};

// A loop whose header arrives here in the code of each body.
struct SharedLoop {
  std::uint32_t first = 0, second = 0;
};

struct LoopSwitch {
  std::string_view class_name, mark, state;  // static methods, ()J
  std::string_view passes;                   // and (I)I
  std::int32_t argument = 0;
  std::uint16_t mark_slot = 0, state_slot = 0;  // of longs
  std::uint16_t passes_slot = 0;                // of an int
  std::vector<SharedLoop> loops;
};

// Nothing if one of them is malformed, they do not fit together, or the constant pool is full.
std::optional<std::vector<std::uint8_t>> two_bodies(ClassFile& file, const Member& method, const Choice& choose,
                                                    base::Bytes first, base::Bytes second,
                                                    const LoopSwitch& loops = {});

}  // namespace bursar::classfile
