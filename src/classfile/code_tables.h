// The attributes of a Code attribute that hold positions or local variables, moved to where an edit put those.
//
// Each function takes the attribute's bytes and gives the new ones, or nothing if the attribute is malformed or no
// longer fits its 16-bit fields. The stack map is not here: see stack_map.h.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "classfile/code_layout.h"

namespace bursar::classfile {

using MovedBytes = std::optional<std::vector<std::uint8_t>>;

// Adds a line for every detour, that of the jump it stands on.
MovedBytes move_line_numbers(base::Bytes data, const Instructions& instructions, const CodeLayout& layout);

// LocalVariableTable and LocalVariableTypeTable.
MovedBytes move_local_variables(base::Bytes data, const Instructions& instructions, const CodeLayout& layout);

// RuntimeVisibleTypeAnnotations and RuntimeInvisibleTypeAnnotations of code. `new_entry[i]` is the index that entry i
// of the exception table has now.
MovedBytes move_type_annotations(base::Bytes data, const Instructions& instructions, const CodeLayout& layout,
                                 std::span<const std::uint32_t> new_entry);

}  // namespace bursar::classfile
