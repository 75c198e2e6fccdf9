#include "agent/added_members.h"

#include "base/byte_writer.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"

namespace bursar::agent {
namespace {

using classfile::ClassFile;
namespace op = classfile::op;

constexpr std::uint16_t kAccPublic = 0x0001;
constexpr std::uint16_t kAccTransient = 0x0080;
constexpr std::uint16_t kAccSynthetic = 0x1000;

// Among i, l, f, d, a: the order of the load and return instructions.
unsigned kind_of(std::string_view type) {
  switch (type.front()) {
    case 'J':
      return 1;
    case 'L':
    case '[':
      return 4;
    default:
      return 0;
  }
}

// Loads the parameters, calls the entry point, returns what it returned.
std::vector<std::uint8_t> forwarding_code(std::string_view descriptor, std::uint16_t entry_point) {
  base::ByteWriter code;
  unsigned slots = 0;
  std::string_view rest = descriptor.substr(1);
  while (rest.front() != ')') {
    const std::string_view type = *classfile::take_field_type(rest);
    code.u1(op::kIload + kind_of(type));
    code.u1(slots);
    slots += classfile::slots_of(type);
  }
  rest.remove_prefix(1);
  code.u1(op::kInvokestatic);
  code.u2_be(entry_point);
  code.u1(rest == "V" ? op::kReturn : op::kIreturn + kind_of(rest));

  base::ByteWriter attribute;
  attribute.u2_be(std::max(slots, 2U));
  attribute.u2_be(slots);
  attribute.u4_be(static_cast<std::uint32_t>(code.size()));
  attribute.append(code.view());
  attribute.u2_be(0);  // exception table
  attribute.u2_be(0);  // attributes
  return attribute.take();
}

}  // namespace

bool add_thread_fields(ClassFile& thread) {
  for (const AddedMember& field : kAddedFields) {
    const auto name = thread.pool.add_utf8(field.name);
    const auto descriptor = thread.pool.add_utf8(field.descriptor);
    if (!name || !descriptor) return false;
    thread.fields.push_back({kAccTransient | kAccSynthetic, *name, *descriptor, {}});
  }
  return true;
}

bool add_probe_methods(ClassFile& object) {
  const auto code_name = object.pool.add_utf8("Code");
  const auto annotations_name = object.pool.add_utf8("RuntimeVisibleAnnotations");
  const auto force_inline = object.pool.add_utf8("Ljdk/internal/vm/annotation/ForceInline;");
  const auto hidden = object.pool.add_utf8("Ljdk/internal/vm/annotation/Hidden;");
  if (!code_name || !annotations_name || !force_inline || !hidden) return false;
  base::ByteWriter annotations;
  annotations.u2_be(2);
  for (const std::uint16_t type : {*force_inline, *hidden}) {
    annotations.u2_be(type);
    annotations.u2_be(0);
  }
  const base::Bytes annotation_bytes = object.keep(annotations.take());
  for (const ProbeMethod& probe : kProbeMethods) {
    const auto name = object.pool.add_utf8(probe.method.name);
    const auto descriptor = object.pool.add_utf8(probe.method.descriptor);
    const auto entry_point = object.pool.add_method_ref(kProbeClass, probe.entry_point, probe.method.descriptor);
    if (!name || !descriptor || !entry_point) return false;
    const base::Bytes code = object.keep(forwarding_code(probe.method.descriptor, *entry_point));
    object.methods.push_back({kAccPublic | classfile::kAccStatic | kAccSynthetic,
                              *name,
                              *descriptor,
                              {{*code_name, code}, {*annotations_name, annotation_bytes}}});
  }
  return true;
}

}  // namespace bursar::agent
