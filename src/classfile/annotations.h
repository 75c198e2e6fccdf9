// Annotations of a member or class, as far as the agent needs them: is there one of this type?
// Runs in: any thread that may allocate
#pragma once

#include <string_view>
#include <vector>

#include "classfile/class_file.h"

namespace bursar::classfile {

// `type` is a descriptor: Ljava/lang/Deprecated;. Looks at annotations that are visible at run time; an attribute that
// cannot be read has none.
bool has_annotation(const ClassFile& file, const std::vector<Attribute>& attributes, std::string_view type);

}  // namespace bursar::classfile
