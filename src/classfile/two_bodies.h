// Two bodies in one method: which of them an invocation runs is decided at its start.
//
//   if (choose(argument)) second body; else first body
//
// Both are whole Code attributes of the same method. `choose` is a static method (I)Z. Bodies are moved as they are:
// the first starts at kFirstBody, the second behind it, at multiples of 4 that keep switches as they were.
//
// Loops may be shared: then the body is chosen anew at every pass of the loop's header, by a local variable, the mark.
//
//   first body's header:   … if (x < 0) reload; if (mark != 0) goto second body's header; the first body goes on
//   second body's header:  goto first body's header; the second body goes on, from here
//
// So a loop still has one header, and the JIT finds it. What stands before these jumps in the first body is the
// instrumentation's (Snippet::exit_place, twice; in the second body Snippet::jump_place). To reload is
//   passes = kept passes; mark = mark(); state = state(); goto first body's header
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
  std::string_view class_name, mark, state;     // static methods, ()J
  std::uint16_t mark_slot = 0, state_slot = 0;  // of longs
  std::uint16_t passes_slot = 0;                // of an int
  std::uint8_t passes = 0;
  std::vector<SharedLoop> loops;
};

// Nothing if one of them is malformed, they do not fit together, or the constant pool is full.
std::optional<std::vector<std::uint8_t>> two_bodies(ClassFile& file, const Member& method, const Choice& choose,
                                                    base::Bytes first, base::Bytes second,
                                                    const LoopSwitch& loops = {});

}  // namespace bursar::classfile
