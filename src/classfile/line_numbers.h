// LineNumbers: which source line an instruction comes from, as the class file says.
//
// Empty where there is no table, or one that cannot be read: a line is never guessed. Immutable.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code_attribute.h"

namespace bursar::classfile {

class LineNumbers {
 public:
  static LineNumbers of(const ClassFile& file, const CodeAttribute& code);

  std::optional<std::uint32_t> line_at(std::uint32_t pc) const;

 private:
  std::vector<std::pair<std::uint32_t, std::uint32_t>> starts_;  // pc and line, by pc
};

}  // namespace bursar::classfile
