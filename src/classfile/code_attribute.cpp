#include "classfile/code_attribute.h"

#include <utility>

namespace bursar::classfile {
namespace {

// An index past the pool would come to mean one of the constants that probes add.
bool names_constants(const Instructions& instructions, const ConstantPool& pool) {
  for (const Instruction& instruction : instructions) {
    const unsigned bytes = constant_bytes(instruction.opcode);
    if (bytes == 0) continue;
    base::ByteReader reader(instructions.code(), instruction.pc + 1);
    const std::uint32_t index = bytes == 1 ? reader.u1() : reader.u2_be();
    if (pool.tag(index) == ConstantTag::kUnusable) return false;
  }
  return true;
}

}  // namespace

base::Result<CodeAttribute> CodeAttribute::parse(base::Bytes data, const ConstantPool& pool, Origin origin) {
  base::ByteReader reader(data);
  CodeAttribute result;
  result.max_stack = reader.u2_be();
  result.max_locals = reader.u2_be();
  const std::uint32_t length = reader.u4_be();
  const base::Bytes code = reader.take(length);
  if (!reader.ok()) return base::Error{"the Code attribute ends inside the code"};
  base::Result<Instructions> instructions = Instructions::parse(code, result.max_locals);
  if (!instructions) return instructions.error();
  const bool may_name_any = origin == Origin::kWrittenHere;
  if (!may_name_any && !names_constants(*instructions, pool))
    return base::Error{"an instruction names a constant that is not there"};
  result.instructions = *std::move(instructions);

  const std::uint32_t entries = reader.u2_be();
  for (std::uint32_t i = 0; i < entries && reader.ok(); ++i) {
    ExceptionEntry entry{};
    entry.start = result.instructions.index_at(reader.u2_be());
    entry.end = result.instructions.index_at(reader.u2_be());
    entry.handler = result.instructions.index_at(reader.u2_be());
    entry.catch_type = reader.u2_be();
    const bool inside = entry.start != Instructions::kNotAStart && entry.end != Instructions::kNotAStart &&
                        entry.handler < result.instructions.size();
    const bool names_class = may_name_any || entry.catch_type == 0 || pool.tag(entry.catch_type) == ConstantTag::kClass;
    if (!inside || entry.start >= entry.end || !names_class) return base::Error{"malformed exception table"};
    result.exceptions.push_back(entry);
  }
  if (!parse_attributes(reader, pool, result.attributes) || !reader.at_end()) {
    return base::Error{"malformed attributes of the Code attribute"};
  }
  return result;
}

}  // namespace bursar::classfile
