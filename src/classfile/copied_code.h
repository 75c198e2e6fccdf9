// The code of a method, for another class: its instructions and stack maps, with the constants they name.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "classfile/class_file.h"

namespace bursar::classfile {

// A Code attribute of `to`, which gets the constants. Nothing if its pool is full, or the method has what is not
// copied: no code, handlers, debug tables, constants other than longs, classes, fields and methods of classes.
std::optional<std::vector<std::uint8_t>> copy_code(const ClassFile& from, const Member& method, ClassFile& to);

}  // namespace bursar::classfile
