#include "classfile/method_copies.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/byte_writer.h"
#include "classfile/code_editor.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"

namespace bursar::classfile {
namespace {

constexpr unsigned kMostArguments = 255;
constexpr std::uint16_t kAccVarargs = 0x0080, kAccInterface = 0x0200, kAccSynthetic = 0x1000;
constexpr std::uint16_t kFirstWithDefaultMethods = 52;

// What says something of a method's frame or of how the VM treats it goes along; what describes its parameters does
// not.
bool goes_along(std::string_view attribute) {
  return attribute == "Exceptions" || attribute == "RuntimeVisibleAnnotations" || attribute == "Deprecated";
}

std::uint8_t load_of(std::string_view type) {
  switch (type.front()) {
    case 'J':
      return op::kLload;
    case 'F':
      return op::kLload + 1;
    case 'D':
      return op::kDload;
    case 'L':
    case '[':
      return op::kAload;
    default:
      return op::kIload;
  }
}

std::uint8_t return_of(std::string_view type) {
  switch (type.front()) {
    case 'V':
      return op::kReturn;
    case 'J':
      return op::kIreturn + 1;
    case 'F':
      return op::kIreturn + 2;
    case 'D':
      return op::kIreturn + 3;
    case 'L':
    case '[':
      return op::kIreturn + 4;
    default:
      return op::kIreturn;
  }
}

// Calls the method itself.
std::optional<std::vector<std::uint8_t>> forwarding(ClassFile& file, const Member& method) {
  const std::string class_name(file.name()), name(file.member_name(method));
  const std::string descriptor(file.member_descriptor(method));
  const auto ref = (file.access & kAccInterface) != 0 ? file.pool.add_interface_method_ref(class_name, name, descriptor)
                                                      : file.pool.add_method_ref(class_name, name, descriptor);
  if (!ref) return std::nullopt;
  base::ByteWriter code;
  unsigned slot = 0;
  const auto load = [&](std::string_view type) {
    code.u1(load_of(type));
    code.u1(slot);
    slot += slots_of(type);
  };
  const bool is_static = (method.access & kAccStatic) != 0;
  if (!is_static) load("Ljava/lang/Object;");
  std::string_view rest = std::string_view(descriptor).substr(1);
  while (!rest.empty() && rest.front() != ')') load(*take_field_type(rest));
  const bool is_abstract = (method.access & kAccAbstract) != 0;
  code.u1(is_static ? op::kInvokestatic : is_abstract ? op::kInvokeinterface : op::kInvokespecial);
  code.u2_be(*ref);
  if (is_abstract) {
    code.u1(slot);
    code.u1(0);
  }
  code.u1(return_of(rest.substr(1)));
  base::ByteWriter out;
  out.u2_be(slot + 2);  // stack, at least for a long that is returned
  out.u2_be(slot + 1);  // locals
  out.u4_be(static_cast<std::uint32_t>(code.size()));
  out.append(code.view());
  out.u2_be(0);  // exceptions
  out.u2_be(0);  // attributes
  return out.take();
}

// The code of a method as that of its copy, which has this descriptor.
std::optional<std::vector<std::uint8_t>> unchanged_code_of_copy(ClassFile& file, const Member& method,
                                                                base::Bytes bytes, std::string_view descriptor) {
  auto code = CodeAttribute::parse(bytes, file.pool);
  if (!code || !make_room_for_parameters(*code, method, descriptor)) return std::nullopt;
  auto opened = CodeEditor::open(file, method, *code, descriptor);
  CodeEditor* const editor = std::get_if<CodeEditor>(&opened);
  if (editor == nullptr) return std::nullopt;
  auto finished = editor->finish(file.pool);
  auto* const edited = std::get_if<CodeEditor::Edited>(&finished);
  if (edited == nullptr) return std::nullopt;
  return std::move(edited->attribute);
}

}  // namespace

std::string descriptor_of_copy(std::string_view descriptor) {
  std::string text(descriptor);
  text.insert(text.rfind(')'), kCopyMark);
  return text;
}

std::optional<std::string> descriptor_of_original(std::string_view descriptor) {
  const std::size_t end = descriptor.rfind(')');
  if (end == std::string_view::npos || !descriptor.substr(0, end).ends_with(kCopyMark)) return std::nullopt;
  std::string text(descriptor);
  text.erase(end - kCopyMark.size(), kCopyMark.size());
  return text;
}

bool can_have_copy(std::string_view descriptor) {
  const auto shape = call_shape(descriptor);
  return shape && shape->argument_slots + 2 <= kMostArguments;
}

bool may_forward_abstract_copies(const ClassFile& file) {
  if ((file.access & kAccInterface) == 0 || file.major_version < kFirstWithDefaultMethods) return false;
  return std::none_of(file.methods.begin(), file.methods.end(),
                      [&](const Member& method) { return file.member_name(method) == "<clinit>"; });
}

std::optional<Copy> copy_of(ClassFile& file, const Member& method, Instrumentation& instrumentation,
                            const RewriteOptions& options, RewriteCounts& counts, AbstractCopies abstract_copies) {
  const std::string descriptor = descriptor_of_copy(file.member_descriptor(method));
  const auto descriptor_index = file.pool.add_utf8(descriptor);
  const auto code_name = file.pool.add_utf8("Code");
  if (!descriptor_index || !code_name) return std::nullopt;
  constexpr auto kDropped = static_cast<std::uint16_t>(kAccVarargs | kAccNative);
  Member copy{.access = static_cast<std::uint16_t>((method.access & ~kDropped) | kAccSynthetic),
              .name_index = method.name_index,
              .descriptor_index = *descriptor_index,
              .attributes = {}};
  for (const Attribute& attribute : method.attributes) {
    if (goes_along(file.attribute_name(attribute))) copy.attributes.push_back(attribute);
  }
  if ((method.access & kAccAbstract) != 0) {
    if (abstract_copies == AbstractCopies::kAbstract) return Copy{std::move(copy), {}};
    copy.access = static_cast<std::uint16_t>(copy.access & ~kAccAbstract);
  }
  std::vector<std::uint32_t> calls;
  std::optional<std::vector<std::uint8_t>> code;
  if (const int at = file.code_attribute(method); at >= 0) {
    const base::Bytes bytes = method.attributes[static_cast<std::size_t>(at)].data;
    MethodOutcome outcome = rewrite_method(file, method, bytes, instrumentation, options, descriptor);
    if (!outcome.attribute.empty()) {
      code = std::move(outcome.attribute);
      calls = std::move(outcome.calls);
      ++counts.rewritten;
    } else {
      if (outcome.reason) ++counts.skipped[static_cast<std::size_t>(*outcome.reason)];
      code = unchanged_code_of_copy(file, method, bytes, descriptor);
    }
  }
  if (!code) code = forwarding(file, method);
  if (!code) return std::nullopt;
  copy.attributes.push_back({*code_name, file.keep(*std::move(code))});
  return Copy{std::move(copy), std::move(calls)};
}

}  // namespace bursar::classfile
