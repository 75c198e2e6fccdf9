// One method of a class with probes: what rewrite() does for each, and what copies of methods are made with.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "classfile/probes.h"
#include "classfile/rewriter.h"

namespace bursar::classfile {

struct MethodOutcome {
  std::optional<SkipReason> reason;
  bool declined = false;  // the instrumentation wanted nothing here
  std::vector<std::uint8_t> attribute;
  std::vector<std::uint32_t> calls;  // as CodeEditor::Edited says
  std::uint32_t old_size = 0;
  std::uint32_t new_size = 0;
};

// `descriptor`: of the method that the code is for, if that is a copy which takes more arguments.
MethodOutcome rewrite_method(ClassFile& file, const Member& member, base::Bytes code_bytes,
                             Instrumentation& instrumentation, const RewriteOptions& options,
                             std::string_view descriptor = {});

// The code is to be that of a method with this descriptor (empty: its own).
bool make_room_for_parameters(CodeAttribute& code, const Member& method, std::string_view descriptor);

}  // namespace bursar::classfile
