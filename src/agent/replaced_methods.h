// Which methods the JIT replaces: where it compiles a call of one, it may put instructions of its own in its place.
//
// The class library marks them (@IntrinsicCandidate). Not all that are marked are replaced: some the VM only wants to
// recognise, and some are replaced under options that `record` turns off (string concatenation, boxing).
// Runs in: any
#pragma once

#include <string_view>

#include "classfile/class_file.h"

namespace bursar::agent {

bool is_replaced_by_jit(const classfile::ClassFile& file, const classfile::Member& method);

}  // namespace bursar::agent
