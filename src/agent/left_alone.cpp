#include "agent/left_alone.h"

#include <algorithm>
#include <array>

#include "agent/added_members.h"
#include "classfile/code_attribute.h"
#include "classfile/opcode.h"

namespace bursar::agent {
namespace {

constexpr std::string_view kVirtualThread = "java/lang/VirtualThread";

// Of a virtual thread: the current thread is another one when these return, or in between.
bool moves(std::string_view method) {
  static constexpr std::array<std::string_view, 6> kMoving = {
      "runContinuation", "mount", "unmount", "afterYield", "switchToCarrierThread", "switchToVirtualThread"};
  return std::find(kMoving.begin(), kMoving.end(), method) != kMoving.end();
}

// Which methods do differs from one JDK to the next.
bool calls_what_moves(const classfile::ClassFile& file, const classfile::Member& method) {
  const int at = file.code_attribute(method);
  if (at < 0) return false;
  const auto code = classfile::CodeAttribute::parse(method.attributes[static_cast<std::size_t>(at)].data, file.pool);
  if (!code) return false;
  const base::Bytes bytes = code->instructions.code();
  return std::any_of(code->instructions.begin(), code->instructions.end(), [&](const classfile::Instruction& i) {
    if (!classfile::is_invoke(i.opcode) || i.opcode == classfile::op::kInvokedynamic) return false;
    const auto ref = file.pool.member_ref(static_cast<std::uint32_t>(bytes[i.pc + 1] << 8 | bytes[i.pc + 2]));
    return ref && ref->class_name == kVirtualThread && moves(ref->name);
  });
}

}  // namespace

bool is_left_alone(const classfile::ClassFile& file, const classfile::Member& method) {
  const std::string_view class_name = file.name();
  const std::string_view name = file.member_name(method);
  if (is_ours(class_name)) return true;
  if (class_name == "jdk/internal/vm/Continuation") return name != "enter" && name != "enter0";
  return class_name == kVirtualThread && (moves(name) || calls_what_moves(file, method));
}

}  // namespace bursar::agent
