// UnwindCover: which instructions of a method an unwind can cover, and with which frame.
//
// An unwind needs one frame for all it covers. In a constructor there are two at most, since `this` is no object before
// super(…) or this(…) returned, and the verifier wants to see that in the handler's frame. That call itself cannot be
// covered at all: were it to throw, no frame describes what it leaves behind (JVMS 4.10.1.9, invokespecial). Class
// files for the old verifier know no such difference.
// Whether `this` is initialized is followed from the start and from the frames of the stack map; where that fails, the
// instruction is left uncovered.
// Runs in: any thread that may allocate
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code_attribute.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {

enum class UnwindPart : std::uint8_t {
  kMain,         // everything, in all but constructors
  kBeforeSuper,  // of a constructor, with an uninitialized `this` in local 0
  kNone,
};

class UnwindCover {
 public:
  // `map` holds the method's own frames, unedited. All parameters must have a local.
  static UnwindCover of(const ClassFile& file, const Member& method, const CodeAttribute& code, const StackMap& map);

  // All of it is kMain.
  bool is_whole() const { return parts_.empty(); }
  UnwindPart part_of(std::uint32_t instruction) const { return is_whole() ? UnwindPart::kMain : parts_[instruction]; }
  // Something in this part can throw: it needs a block of code to catch that. They stand in the order of the parts.
  bool has_block(UnwindPart part) const { return part != UnwindPart::kNone && throws_[static_cast<std::size_t>(part)]; }
  std::uint32_t block(UnwindPart part) const { return part == UnwindPart::kMain ? 0 : blocks() - 1; }
  std::uint32_t blocks() const { return has_block(UnwindPart::kMain) + has_block(UnwindPart::kBeforeSuper); }

 private:
  std::vector<UnwindPart> parts_;  // by instruction; empty if all is kMain
  std::array<bool, 3> throws_{};   // by part
};

}  // namespace bursar::classfile
