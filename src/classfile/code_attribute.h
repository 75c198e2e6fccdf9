// CodeAttribute: the Code attribute of a method, taken apart.
//
// Layout: u2 max_stack, u2 max_locals, u4 length and code, u2 count and exception table, attributes. The exception
// table's positions are checked to be starts of instructions, constants that code and table name to be in the pool.
// Spans are borrowed from the class file.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "classfile/class_file.h"
#include "classfile/instructions.h"

namespace bursar::classfile {

// Positions are indices of instructions; `end` is exclusive and may be one past the last.
struct ExceptionEntry {
  std::uint32_t start;
  std::uint32_t end;
  std::uint32_t handler;
  std::uint16_t catch_type;  // 0: everything

  bool covers(std::uint32_t instruction) const { return start <= instruction && instruction < end; }
};

struct CodeAttribute {
  std::uint16_t max_stack = 0;
  std::uint16_t max_locals = 0;
  Instructions instructions;
  std::vector<ExceptionEntry> exceptions;
  std::vector<Attribute> attributes;

  // Code that was written here may name constants that were added; what came in a class file must not.
  enum class Origin : bool { kClassFile, kWrittenHere };
  static base::Result<CodeAttribute> parse(base::Bytes data, const ConstantPool& pool,
                                           Origin origin = Origin::kClassFile);
};

}  // namespace bursar::classfile
