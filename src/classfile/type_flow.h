// TypeFlow: the verification types at places of a method for which its stack map has no frame.
//
// Behind each frame of the stack map types follow from one instruction to the next, as in the VM's own verifier: every
// place that is jumped to has a frame, and so has what follows a jump that is always taken. So one pass suffices, and
// what classes inherit from each other need not be known.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code_attribute.h"
#include "classfile/code_layout.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {

struct CallFrames {
  Frame before, behind;  // without positions
};

// What holds before and behind each of these invokes (instructions, ascending), given the frames of `map` at positions
// of the code as it is. `start`: the locals before the first instruction. `move`: where locals are in the frames.
// Nothing if the code is not what the frames say, or the constant pool is full.
std::optional<std::vector<CallFrames>> types_around(const ClassFile& file, const CodeAttribute& code,
                                                    const StackMap& map, const Types& start, const LocalMove& move,
                                                    std::span<const std::uint32_t> invokes, ConstantPool& pool);

}  // namespace bursar::classfile
