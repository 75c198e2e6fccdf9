// Methods that get no probe and are not shown: our own, and those that move a virtual thread between its carriers.
//
// Half-way through the latter the current thread changes, and with it the cursor: what they call would be counted in
// one thread and left in another. What the virtual thread itself does around them has probes. Runs in: any
#pragma once

#include "classfile/class_file.h"

namespace bursar::agent {

bool is_left_alone(const classfile::ClassFile& file, const classfile::Member& method);

}  // namespace bursar::agent
