// Methods that a call site can count on its own: they call nothing, nothing in them can throw, and nothing in them
// makes the VM call anything. Found by looking at short methods for what javac makes of getters, setters and small
// sums; and a few native methods of java.lang. Runs in: any thread that may allocate
#pragma once

#include "classfile/class_file.h"

namespace bursar::agent {

bool is_leaf(const classfile::ClassFile& file, const classfile::Member& method);

}  // namespace bursar::agent
