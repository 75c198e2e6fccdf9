// Loops that HotSpot had better not notice: those that find something on the operand stack, beside others that do not.
//
// HotSpot compiles a method whose loop runs for long while it runs, entering at that loop, but not if the stack is not
// empty where the loop begins; having tried that it enters the method at none of its loops any more, and leaves it to
// the interpreter until it is called often. Whether it notices such a loop first or another one is chance. It counts
// jumps back, but not those of switches: so the jumps of such loops are led through a switch without cases, at the end
// of the method, and it notices the other loops only.
//
// What probes put into a method may lead back to a loop's start as well: so loops are made quiet behind them.
//
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code_attribute.h"
#include "classfile/probes.h"

namespace bursar::classfile {

// The Code attribute with loops made quiet, all else where it was; nothing if it has none or there is no room.
std::optional<std::vector<std::uint8_t>> with_quiet_loops(ClassFile& file, const Member& method, base::Bytes code);

// Whether there is a loop that a frame in the interpreter would stay in, once loops are quiet: HotSpot could not enter
// at it, nor at one around it.
bool has_loop_of_no_entry(const MethodView& method);

}  // namespace bursar::classfile
