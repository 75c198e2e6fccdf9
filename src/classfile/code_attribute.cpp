#include "classfile/code_attribute.h"

#include <utility>

namespace bursar::classfile {

base::Result<CodeAttribute> CodeAttribute::parse(base::Bytes data, const ConstantPool& pool) {
  base::ByteReader reader(data);
  CodeAttribute result;
  result.max_stack = reader.u2_be();
  result.max_locals = reader.u2_be();
  const std::uint32_t length = reader.u4_be();
  const base::Bytes code = reader.take(length);
  if (!reader.ok()) return base::Error{"the Code attribute ends inside the code"};
  base::Result<Instructions> instructions = Instructions::parse(code, result.max_locals);
  if (!instructions) return instructions.error();
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
    if (!inside || entry.start >= entry.end) return base::Error{"malformed exception table"};
    result.exceptions.push_back(entry);
  }
  if (!parse_attributes(reader, pool, result.attributes) || !reader.at_end()) {
    return base::Error{"malformed attributes of the Code attribute"};
  }
  return result;
}

}  // namespace bursar::classfile
