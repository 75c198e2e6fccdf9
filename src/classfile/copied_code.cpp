#include "classfile/copied_code.h"

#include <utility>

#include "base/byte_writer.h"
#include "classfile/code_attribute.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {
namespace {

std::optional<std::uint16_t> copy_constant(const ConstantPool& from, std::uint32_t index, ConstantPool& to) {
  switch (from.tag(index)) {
    case ConstantTag::kLong:
      return to.add_long(*from.long_value(index));
    case ConstantTag::kClass:
      return to.add_class(*from.class_name(index));
    case ConstantTag::kFieldref:
    case ConstantTag::kMethodref: {
      const ConstantPool::MemberRef ref = *from.member_ref(index);
      return from.tag(index) == ConstantTag::kFieldref ? to.add_field_ref(ref.class_name, ref.name, ref.descriptor)
                                                       : to.add_method_ref(ref.class_name, ref.name, ref.descriptor);
    }
    default:
      return std::nullopt;
  }
}

std::optional<std::vector<std::uint8_t>> copy_instructions(const Instructions& instructions, const ConstantPool& from,
                                                           ConstantPool& to) {
  std::vector<std::uint8_t> code(instructions.code().begin(), instructions.code().end());
  for (const Instruction& instruction : instructions) {
    const unsigned bytes = constant_bytes(instruction.opcode);
    if (bytes == 0) continue;
    if (bytes == 1) return std::nullopt;  // there may be no such index left
    const std::uint32_t at = instruction.pc + 1;
    const auto index = copy_constant(from, static_cast<std::uint32_t>(code[at] << 8 | code[at + 1]), to);
    if (!index) return std::nullopt;
    code[at] = static_cast<std::uint8_t>(*index >> 8);
    code[at + 1] = static_cast<std::uint8_t>(*index);
  }
  return code;
}

bool copy_types(Types& types, const ConstantPool& from, ConstantPool& to) {
  for (VerificationType& type : types) {
    if (type.tag != VerificationType::kObject) continue;
    const auto name = from.class_name(type.data);
    const auto index = name ? to.add_class(*name) : std::nullopt;
    if (!index) return false;
    type.data = *index;
  }
  return true;
}

std::optional<std::vector<std::uint8_t>> copy_stack_map(const ClassFile& from, const Member& method, base::Bytes data,
                                                        ClassFile& to) {
  auto map = StackMap::initial(from.member_descriptor(method), (method.access & kAccStatic) != 0, false, to.this_class);
  if (!map || map->parse(data) != StackMap::ParseResult::kOk) return std::nullopt;
  for (Frame& frame : map->frames) {
    if (!copy_types(frame.locals, from.pool, to.pool) || !copy_types(frame.stack, from.pool, to.pool)) {
      return std::nullopt;
    }
  }
  return map->write(to.pool);
}

}  // namespace

std::optional<std::vector<std::uint8_t>> copy_code(const ClassFile& from, const Member& method, ClassFile& to) {
  const int at = from.code_attribute(method);
  if (at < 0) return std::nullopt;
  const auto code = CodeAttribute::parse(method.attributes[static_cast<std::size_t>(at)].data, from.pool);
  if (!code || !code->exceptions.empty()) return std::nullopt;
  const auto instructions = copy_instructions(code->instructions, from.pool, to.pool);
  if (!instructions) return std::nullopt;
  std::vector<Attribute> attributes;
  for (const Attribute& attribute : code->attributes) {
    if (from.attribute_name(attribute) != "StackMapTable") return std::nullopt;
    auto map = copy_stack_map(from, method, attribute.data, to);
    const auto name = to.pool.add_utf8("StackMapTable");
    if (!map || !name) return std::nullopt;
    attributes.push_back({*name, to.keep(*std::move(map))});
  }
  base::ByteWriter out;
  out.u2_be(code->max_stack);
  out.u2_be(code->max_locals);
  out.u4_be(static_cast<std::uint32_t>(instructions->size()));
  out.append(*instructions);
  out.u2_be(0);  // exception table
  write_attributes(out, attributes);
  return out.take();
}

}  // namespace bursar::classfile
