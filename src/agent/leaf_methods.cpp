#include "agent/leaf_methods.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "classfile/code_attribute.h"
#include "classfile/opcode.h"

namespace bursar::agent {
namespace {

using classfile::Instruction;
namespace op = classfile::op;

constexpr std::uint32_t kLongest = 64;  // bytes of code

struct NativeLeaf {
  std::string_view class_name;
  std::string_view name;
};
constexpr std::array kNativeLeaves = {
    NativeLeaf{"java/lang/Class", "isArray"},
    NativeLeaf{"java/lang/Class", "isInstance"},
    NativeLeaf{"java/lang/Class", "isInterface"},
    NativeLeaf{"java/lang/Class", "isPrimitive"},
    NativeLeaf{"java/lang/Double", "doubleToRawLongBits"},
    NativeLeaf{"java/lang/Double", "longBitsToDouble"},
    NativeLeaf{"java/lang/Float", "floatToRawIntBits"},
    NativeLeaf{"java/lang/Float", "intBitsToFloat"},
    NativeLeaf{"java/lang/Object", "getClass"},
    NativeLeaf{"java/lang/System", "currentTimeMillis"},
    NativeLeaf{"java/lang/System", "identityHashCode"},
    NativeLeaf{"java/lang/System", "nanoTime"},
};

bool is_native_leaf(std::string_view class_name, std::string_view name) {
  return std::any_of(kNativeLeaves.begin(), kNativeLeaves.end(),
                     [&](const NativeLeaf& leaf) { return leaf.class_name == class_name && leaf.name == name; });
}

// Those that the VM itself calls, or looks at.
bool is_special(std::string_view name) {
  return name.starts_with('<') || name == "loadClass" || name == "finalize";
}

class LeafCode {
 public:
  LeafCode(const classfile::ClassFile& file, bool is_static, const classfile::CodeAttribute& code)
      : file_(file), code_(code.instructions), arrived_at_(code_.size()) {
    // Positions at which the stack need not be what the instruction before left there.
    for (const Instruction& i : code_) {
      if (i.operand() == classfile::Operand::kBranch16) arrived_at_[i.target] = true;
    }
    const bool changes = std::any_of(code_.begin(), code_.end(), [](const Instruction& i) {
      return i.local == 0 && i.opcode >= op::kIstore && i.opcode <= op::kAstore3 && i.local_slots() != 0;
    });
    has_this_ = !is_static && !changes;
  }

  bool calls_nothing() const {
    for (std::uint32_t i = 0; i < code_.size(); ++i) {
      if (!is_quiet(i)) return false;
    }
    return true;
  }

 private:
  bool is_quiet(std::uint32_t i) const {
    const std::uint8_t opcode = code_[i].opcode;
    switch (opcode) {
      case op::kLdc:
      case op::kLdcW:
      case op::kLdc2W:
        return loads_plain_constant(code_[i]);
      case op::kGetstatic:
      case op::kPutstatic:
        return names_own_field(code_[i], true);
      case op::kGetfield:
        return is_this(i, 1) && names_own_field(code_[i], false);
      case op::kPutfield:
        return is_this(i, 2) && pushes_one_value(code_[i - 1]) && names_own_field(code_[i], false);
      case op::kIdiv:
      case op::kLdiv:
      case op::kIrem:
      case op::kLrem:
      case op::kJsr:
      case op::kRet:
        return false;
      default:
        break;
    }
    const bool is_array_access =
        (opcode >= op::kIaload && opcode < op::kIstore) || (opcode >= op::kIastore && opcode < op::kPop);
    return (opcode <= op::kGoto && !is_array_access) || classfile::is_return(opcode) || opcode == op::kIfnull ||
           opcode == op::kIfnonnull;
  }

  // So many instructions before this one `this` was pushed, and control comes from there only.
  bool is_this(std::uint32_t i, std::uint32_t before) const {
    if (!has_this_ || i < before || code_[i - before].opcode != op::kAload0) return false;
    return std::none_of(arrived_at_.begin() + (i - before) + 1, arrived_at_.begin() + i + 1,
                        [](bool at) { return at; });
  }
  static bool pushes_one_value(const Instruction& instruction) {
    return instruction.opcode >= op::kAconstNull && instruction.opcode <= op::kAload3;
  }
  std::uint32_t constant_of(const Instruction& instruction) const {
    const base::Bytes code = code_.code();
    if (instruction.opcode == op::kLdc) return code[instruction.pc + 1];
    return static_cast<std::uint32_t>(code[instruction.pc + 1] << 8 | code[instruction.pc + 2]);
  }
  // Others are resolved by code of the class library.
  bool loads_plain_constant(const Instruction& instruction) const {
    using classfile::ConstantTag;
    const ConstantTag tag = file_.pool.tag(constant_of(instruction));
    return tag == ConstantTag::kInteger || tag == ConstantTag::kFloat || tag == ConstantTag::kLong ||
           tag == ConstantTag::kDouble || tag == ConstantTag::kString;
  }
  // A static one of another class, or inherited from an interface, might have to be initialised first.
  bool names_own_field(const Instruction& instruction, bool is_static) const {
    const auto ref = file_.pool.member_ref(constant_of(instruction));
    if (!ref || ref->class_name != file_.name()) return false;
    return !is_static || std::any_of(file_.fields.begin(), file_.fields.end(), [&](const classfile::Member& field) {
      return file_.member_name(field) == ref->name && file_.member_descriptor(field) == ref->descriptor;
    });
  }

  const classfile::ClassFile& file_;
  const classfile::Instructions& code_;
  std::vector<bool> arrived_at_;
  bool has_this_ = false;
};

}  // namespace

bool is_leaf(const classfile::ClassFile& file, const classfile::Member& method) {
  if ((method.access & classfile::kAccNative) != 0) return is_native_leaf(file.name(), file.member_name(method));
  const int at = file.code_attribute(method);
  if (at < 0 || (method.access & classfile::kAccSynchronized) != 0 || file.code_length(method) > kLongest) return false;
  if (is_special(file.member_name(method))) return false;
  const auto code = classfile::CodeAttribute::parse(method.attributes[static_cast<std::size_t>(at)].data, file.pool);
  if (!code || !code->exceptions.empty()) return false;
  return LeafCode(file, (method.access & classfile::kAccStatic) != 0, *code).calls_nothing();
}

}  // namespace bursar::agent
