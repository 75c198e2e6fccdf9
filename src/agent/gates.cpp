#include "agent/gates.h"

#include <algorithm>
#include <vector>

#include "classfile/code_attribute.h"
#include "classfile/control_flow.h"
#include "classfile/loop_forest.h"
#include "classfile/opcode.h"

namespace bursar::agent {
namespace {

constexpr std::size_t kTooLarge = 3000;  // bytes: two bodies with probes would be more than the JIT compiles well

// Called by everything, for a moment each.
bool is_everywhere(std::string_view class_name) {
  constexpr std::string_view kUtil = "java/util/";
  if (class_name.starts_with(kUtil)) return class_name.substr(kUtil.size()).find('/') == std::string_view::npos;
  return class_name.starts_with("java/lang/") || class_name.starts_with("java/io/");
}

bool calls(const classfile::Instructions& code, const classfile::Block& block) {
  for (std::uint32_t i = block.first; i <= block.last; ++i) {
    if (classfile::is_invoke(code[i].opcode)) return true;
  }
  return false;
}

bool calls_in_a_loop(const classfile::CodeAttribute& code) {
  const auto flow = classfile::ControlFlow::of(code);
  if (!flow || flow->retreating_edges().empty()) return false;
  const classfile::LoopForest forest(*flow);
  for (std::uint32_t block = 0; block < flow->blocks().size(); ++block) {
    if (forest.loop_of(block) != classfile::kNoLoop && calls(code.instructions, flow->blocks()[block])) return true;
  }
  return false;
}

bool calls_itself(const classfile::ClassFile& file, const classfile::Member& method,
                  const classfile::Instructions& code) {
  for (const classfile::Instruction& instruction : code) {
    if (!classfile::is_invoke(instruction.opcode) || instruction.opcode == classfile::op::kInvokedynamic) continue;
    base::ByteReader operand(code.code(), instruction.pc + 1);
    const auto ref = file.pool.member_ref(operand.u2_be());
    if (ref && ref->class_name == file.name() && ref->name == file.member_name(method) &&
        ref->descriptor == file.member_descriptor(method))
      return true;
  }
  return false;
}

}  // namespace

bool Gates::wants(const classfile::ClassFile& file, const classfile::Member& method) const {
  const std::string_view class_name = file.name(), name = file.member_name(method);
  if (!named_.empty()) return named_.contains(std::string(class_name) + "." + std::string(name));
  if (name.starts_with('<') || is_everywhere(class_name)) return false;
  const int at = file.code_attribute(method);
  if (at < 0) return false;
  const auto code = classfile::CodeAttribute::parse(method.attributes[static_cast<std::size_t>(at)].data, file.pool);
  if (!code) return false;
  if (code->instructions.code().size() > kTooLarge) return false;
  return calls_in_a_loop(*code) || calls_itself(file, method, code->instructions);
}

}  // namespace bursar::agent
