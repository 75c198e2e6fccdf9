// The exception table of an edited method.
//
// The method's own entries come first, in their order, cut where stepping stones stand; then their share of the
// detours; at last the entries of the unwind. Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "classfile/code_attribute.h"
#include "classfile/code_layout.h"
#include "classfile/unwind_cover.h"

namespace bursar::classfile {

struct MovedExceptions {
  std::vector<std::uint8_t> bytes;       // with the count
  std::vector<std::uint32_t> new_entry;  // by old entry: the index it has now
};

// Nothing if there are more entries than 16 bits can count. The layout must have been run.
std::optional<MovedExceptions> move_exceptions(const CodeAttribute& code, const CodeLayout& layout,
                                               const UnwindCover& cover);

}  // namespace bursar::classfile
