#include "classfile/type_flow.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_reader.h"
#include "classfile/descriptor.h"
#include "classfile/opcode.h"

namespace bursar::classfile {
namespace {

using enum VerificationType::Tag;

// The stack in slots here: the second half of a long or double is a kTop behind it.
constexpr VerificationType kSecondHalf{kTop, 0};
// Objects whose class no constant names yet: where in names_ it stands.
constexpr std::uint32_t kNamed = 0x10000;

// What most instructions do to the stack: take so many slots, then push these: I F J D, or nothing.
struct Effect {
  std::uint8_t taken = 0;
  char pushed = 0;
  bool known = false;
};

constexpr std::array<Effect, 256> kEffects = [] {
  std::array<Effect, 256> effects{};
  const auto set = [&](unsigned first, unsigned last, std::uint8_t taken, char pushed) {
    for (unsigned i = first; i <= last; ++i) effects[i] = {taken, pushed, true};
  };
  // Four opcodes in a row, for int, long, float and double.
  const auto arithmetic = [&](unsigned first, unsigned operands) {
    constexpr std::array kTypes = {'I', 'J', 'F', 'D'};
    for (unsigned i = 0; i < 4; ++i) {
      set(first + i, first + i, static_cast<std::uint8_t>(operands * (i % 2 + 1)), kTypes[i]);
    }
  };
  set(0x00, 0x00, 0, 0);    // nop
  set(0x02, 0x08, 0, 'I');  // iconst
  set(0x09, 0x0a, 0, 'J');  // lconst
  set(0x0b, 0x0d, 0, 'F');  // fconst
  set(0x0e, 0x0f, 0, 'D');  // dconst
  set(0x10, 0x11, 0, 'I');  // bipush, sipush
  set(0x2e, 0x2e, 2, 'I');  // iaload
  set(0x2f, 0x2f, 2, 'J');  // laload
  set(0x30, 0x30, 2, 'F');  // faload
  set(0x31, 0x31, 2, 'D');  // daload
  set(0x33, 0x35, 2, 'I');  // baload, caload, saload
  set(0x4f, 0x4f, 3, 0);    // iastore
  set(0x50, 0x50, 4, 0);    // lastore
  set(0x51, 0x51, 3, 0);    // fastore
  set(0x52, 0x52, 4, 0);    // dastore
  set(0x53, 0x56, 3, 0);    // aastore, bastore, castore, sastore
  set(op::kPop, op::kPop, 1, 0);
  set(op::kPop2, op::kPop2, 2, 0);
  for (const unsigned first : {0x60U, 0x64U, 0x68U, 0x6cU, 0x70U}) arithmetic(first, 2);  // add, sub, mul, div, rem
  arithmetic(0x74, 1);                                                                    // neg
  for (const unsigned shift : {0x78U, 0x7aU, 0x7cU}) {
    set(shift, shift, 2, 'I');
    set(shift + 1, shift + 1, 3, 'J');
  }
  for (const unsigned logic : {0x7eU, 0x80U, 0x82U}) {
    set(logic, logic, 2, 'I');
    set(logic + 1, logic + 1, 4, 'J');
  }
  set(op::kIinc, op::kIinc, 0, 0);
  set(0x85, 0x85, 1, 'J');  // i2l
  set(0x86, 0x86, 1, 'F');
  set(0x87, 0x87, 1, 'D');
  set(0x88, 0x88, 2, 'I');  // l2i
  set(0x89, 0x89, 2, 'F');
  set(0x8a, 0x8a, 2, 'D');
  set(0x8b, 0x8b, 1, 'I');  // f2i
  set(0x8c, 0x8c, 1, 'J');
  set(0x8d, 0x8d, 1, 'D');
  set(0x8e, 0x8e, 2, 'I');  // d2i
  set(0x8f, 0x8f, 2, 'J');
  set(0x90, 0x90, 2, 'F');
  set(0x91, 0x93, 1, 'I');  // i2b, i2c, i2s
  set(0x94, 0x94, 4, 'I');  // lcmp
  set(0x95, 0x96, 2, 'I');  // fcmp
  set(0x97, 0x98, 4, 'I');  // dcmp
  set(0x99, 0x9e, 1, 0);    // if against zero
  set(0x9f, 0xa6, 2, 0);    // if of two
  set(op::kGoto, op::kGoto, 0, 0);
  set(0xaa, 0xab, 1, 0);  // switches
  set(0xac, 0xac, 1, 0);  // returns
  set(0xad, 0xad, 2, 0);
  set(0xae, 0xae, 1, 0);
  set(0xaf, 0xaf, 2, 0);
  set(0xb0, 0xb0, 1, 0);
  set(0xb1, 0xb1, 0, 0);
  set(0xbe, 0xbe, 1, 'I');  // arraylength
  set(0xbf, 0xbf, 1, 0);    // athrow
  set(0xc1, 0xc1, 1, 'I');  // instanceof
  set(0xc2, 0xc3, 1, 0);    // monitors
  set(op::kIfnull, op::kIfnonnull, 1, 0);
  set(op::kGotoW, op::kGotoW, 0, 0);
  return effects;
}();

// The dup family: the topmost slots that are taken, and what is put back, the lowest first, by their number from below.
struct Shuffle {
  std::size_t taken = 0;
  std::string_view put;
};
constexpr std::array<Shuffle, 7> kShuffles = {{{1, "00"},
                                               {2, "101"},     // dup_x1
                                               {3, "2012"},    // dup_x2
                                               {2, "0101"},    // dup2
                                               {3, "12012"},   // dup2_x1
                                               {4, "230123"},  // dup2_x2
                                               {2, "10"}}};    // swap

class Flow {
 public:
  Flow(const ClassFile& file, const CodeAttribute& code, const StackMap& map, const LocalMove& move)
      : file_(file), code_(code.instructions), map_(map), move_(move) {}

  std::optional<std::vector<CallFrames>> run(const Types& start, std::span<const std::uint32_t> invokes,
                                             ConstantPool& pool) {
    std::vector<CallFrames> found;
    set_locals(start);
    bool reached = true;
    auto frame = map_.frames.begin();
    for (std::uint32_t i = 0; i < code_.size() && found.size() < invokes.size(); ++i) {
      const Instruction& instruction = code_[i];
      if (frame != map_.frames.end() && frame->position == instruction.pc) {
        set_locals(frame->locals);
        set_stack(frame->stack);
        reached = true;
        ++frame;
      }
      if (!reached) return std::nullopt;
      const bool wanted = invokes[found.size()] == i;
      CallFrames around;
      if (wanted && !take(around.before, pool)) return std::nullopt;
      if (!step(instruction)) return std::nullopt;
      if (wanted && !take(around.behind, pool)) return std::nullopt;
      if (wanted) found.push_back(std::move(around));
      reached = !ends_flow(instruction.opcode);
    }
    return found.size() == invokes.size() ? std::optional(std::move(found)) : std::nullopt;
  }

 private:
  static void append_slots(const Types& entries, Types& slots) {
    for (const VerificationType& type : entries) {
      slots.push_back(type);
      if (type.slots() == 2) slots.push_back(kSecondHalf);
    }
  }
  static Types entries_of(const Types& slots) {
    Types entries;
    for (std::size_t i = 0; i < slots.size(); i += slots[i].slots()) entries.push_back(slots[i]);
    return entries;
  }
  void set_locals(const Types& entries) {
    locals_.clear();
    append_slots(entries, locals_);
  }
  void set_stack(const Types& entries) {
    stack_.clear();
    append_slots(entries, stack_);
  }

  // The types as they stand, with constants for their classes.
  bool take(Frame& frame, ConstantPool& pool) const {
    frame.locals = entries_of(locals_);
    frame.stack = entries_of(stack_);
    for (Types* list : {&frame.locals, &frame.stack}) {
      for (VerificationType& type : *list) {
        if (type.tag != kObject || type.data < kNamed) continue;
        const auto index = pool.add_class(names_[type.data - kNamed]);
        if (!index) return false;
        type.data = *index;
      }
    }
    // Tops at the end say nothing.
    while (!frame.locals.empty() && frame.locals.back().tag == kTop) frame.locals.pop_back();
    return true;
  }

  bool pop(std::size_t slots) {
    if (stack_.size() < slots) return false;
    stack_.resize(stack_.size() - slots);
    return true;
  }
  bool push(const VerificationType& type) {
    stack_.push_back(type);
    if (type.slots() == 2) stack_.push_back(kSecondHalf);
    return true;
  }
  VerificationType object(std::string name) {
    names_.push_back(std::move(name));
    return {kObject, kNamed + static_cast<std::uint32_t>(names_.size() - 1)};
  }
  VerificationType of_descriptor(std::string_view type) {
    switch (type.front()) {
      case 'J':
        return {kLong};
      case 'D':
        return {kDouble};
      case 'F':
        return {kFloat};
      case 'L':
        return object(std::string(type.substr(1, type.size() - 2)));
      case '[':
        return object(std::string(type));
      default:
        return {kInteger};
    }
  }
  std::optional<std::string> name_of(const VerificationType& type) const {
    if (type.tag == kParameter) return std::string(map_.parameter_class(type.data));
    if (type.tag != kObject) return std::nullopt;
    if (type.data >= kNamed) return names_[type.data - kNamed];
    const auto name = file_.pool.class_name(type.data);
    return name ? std::optional<std::string>(*name) : std::nullopt;
  }

  void store(std::uint32_t local, const VerificationType& type) {
    const std::uint32_t at = move_(local);
    if (locals_.size() < at + type.slots()) locals_.resize(at + type.slots());
    // A half of what was there is nothing.
    if (at > 0 && locals_[at - 1].slots() == 2) locals_[at - 1] = {};
    locals_[at] = type;
    if (type.slots() == 2) locals_[at + 1] = kSecondHalf;
  }

  std::uint32_t constant(const Instruction& instruction) const {
    base::ByteReader operand(code_.code(), instruction.pc + 1);
    return instruction.opcode == op::kLdc ? operand.u1() : operand.u2_be();
  }

  bool step(const Instruction& instruction) {
    const std::uint8_t opcode = instruction.opcode;
    if (instruction.local_slots() != 0 && opcode != op::kIinc && opcode != op::kRet) return access_local(instruction);
    if (const Effect& effect = kEffects[opcode]; effect.known) {
      if (!pop(effect.taken)) return false;
      return effect.pushed == 0 || push(of_descriptor(std::string_view(&effect.pushed, 1)));
    }
    if (opcode >= op::kDup && opcode <= op::kSwap) return shuffle(kShuffles[opcode - op::kDup]);
    if (is_invoke(opcode)) return invoke(instruction);
    switch (opcode) {
      case op::kAconstNull:
        return push({kNull});
      case op::kLdc:
      case op::kLdcW:
      case op::kLdc2W:
        return load_constant(constant(instruction));
      case kAaload:
        return load_element();
      case op::kGetstatic:
      case op::kPutstatic:
      case op::kGetfield:
      case op::kPutfield:
        return access_field(instruction);
      case op::kNew:
        return push({kUninitialized, instruction.pc});
      case kNewarray: {
        constexpr std::string_view kElements = "ZCFDBSIJ";
        const std::uint8_t element = code_.code()[instruction.pc + 1];
        if (element < 4 || element > 11) return false;
        return pop(1) && push(object(std::string("[") + kElements[element - 4U]));
      }
      case kAnewarray: {
        const auto element = file_.pool.class_name(constant(instruction));
        if (!element) return false;
        const bool is_array = element->starts_with('[');
        return pop(1) && push(object(is_array ? "[" + std::string(*element) : "[L" + std::string(*element) + ";"));
      }
      case kCheckcast:
        return pop(1) && push({kObject, constant(instruction)});
      case kMultianewarray:
        return pop(code_.code()[instruction.pc + 3]) && push({kObject, constant(instruction)});
      default:
        return false;  // subroutines: where they are, there are no frames
    }
  }

  bool access_local(const Instruction& instruction) {
    const std::uint8_t opcode = instruction.opcode;
    const bool is_store = opcode >= op::kIstore;
    const unsigned slots = instruction.local_slots();
    if (is_store) {
      if (stack_.size() < slots) return false;
      const VerificationType type = stack_[stack_.size() - slots];
      store(instruction.local, type);
      return pop(slots);
    }
    const std::uint32_t at = move_(instruction.local);
    return at < locals_.size() && push(locals_[at]);
  }

  bool shuffle(const Shuffle& how) {
    if (stack_.size() < how.taken) return false;
    const Types top(stack_.end() - static_cast<std::ptrdiff_t>(how.taken), stack_.end());
    stack_.resize(stack_.size() - how.taken);
    for (const char c : how.put) stack_.push_back(top[static_cast<std::size_t>(c - '0')]);
    return true;
  }

  bool load_constant(std::uint32_t index) {
    switch (file_.pool.tag(index)) {
      case ConstantTag::kInteger:
        return push({kInteger});
      case ConstantTag::kFloat:
        return push({kFloat});
      case ConstantTag::kLong:
        return push({kLong});
      case ConstantTag::kDouble:
        return push({kDouble});
      case ConstantTag::kString:
        return push(object("java/lang/String"));
      case ConstantTag::kClass:
        return push(object("java/lang/Class"));
      case ConstantTag::kMethodHandle:
        return push(object("java/lang/invoke/MethodHandle"));
      case ConstantTag::kMethodType:
        return push(object("java/lang/invoke/MethodType"));
      case ConstantTag::kDynamic: {
        const auto ref = file_.pool.member_ref(index);
        return ref && !ref->descriptor.empty() && push(of_descriptor(ref->descriptor));
      }
      default:
        return false;
    }
  }

  bool load_element() {
    if (stack_.size() < 2) return false;
    const VerificationType array = stack_[stack_.size() - 2];
    pop(2);
    if (array.tag == kNull) return push({kNull});
    const auto name = name_of(array);
    if (!name || name->size() < 2 || name->front() != '[') return false;
    return push(of_descriptor(std::string_view(*name).substr(1)));
  }

  bool access_field(const Instruction& instruction) {
    const auto ref = file_.pool.member_ref(constant(instruction));
    if (!ref || ref->descriptor.empty()) return false;
    const bool is_put = instruction.opcode == op::kPutstatic || instruction.opcode == op::kPutfield;
    const bool is_static = instruction.opcode == op::kGetstatic || instruction.opcode == op::kPutstatic;
    if (!pop((is_put ? slots_of(ref->descriptor) : 0U) + (is_static ? 0U : 1U))) return false;
    return is_put || push(of_descriptor(ref->descriptor));
  }

  bool invoke(const Instruction& instruction) {
    const auto ref = file_.pool.member_ref(constant(instruction));
    const auto shape = ref ? call_shape(ref->descriptor) : std::nullopt;
    if (!shape || !pop(shape->argument_slots)) return false;
    if (instruction.opcode == op::kInvokespecial && ref->name == "<init>") {
      if (stack_.empty()) return false;
      const VerificationType made = stack_.back();
      pop(1);
      return initialize(made);
    }
    const bool has_receiver = instruction.opcode != op::kInvokestatic && instruction.opcode != op::kInvokedynamic;
    if (has_receiver && !pop(1)) return false;
    return shape->result_slots == 0 || push(of_descriptor(ref->descriptor.substr(ref->descriptor.rfind(')') + 1)));
  }

  // From now on it is an object of its class.
  bool initialize(const VerificationType& made) {
    VerificationType object{kObject, file_.this_class};
    if (made.tag == kUninitialized) {
      const std::uint32_t at = code_.index_at(made.data);
      if (at >= code_.size() || code_[at].opcode != op::kNew) return false;
      object.data = constant(code_[at]);
    } else if (made.tag != kUninitializedThis) {
      return false;
    }
    std::replace(stack_.begin(), stack_.end(), made, object);
    std::replace(locals_.begin(), locals_.end(), made, object);
    return true;
  }

  static constexpr std::uint8_t kAaload = 0x32, kNewarray = 0xbc, kAnewarray = 0xbd, kCheckcast = 0xc0,
                                kMultianewarray = 0xc5;

  const ClassFile& file_;
  const Instructions& code_;
  const StackMap& map_;
  const LocalMove& move_;
  Types locals_, stack_;  // by slot
  std::vector<std::string> names_;
};

}  // namespace

std::optional<std::vector<CallFrames>> types_around(const ClassFile& file, const CodeAttribute& code,
                                                    const StackMap& map, const Types& start, const LocalMove& move,
                                                    std::span<const std::uint32_t> invokes, ConstantPool& pool) {
  return Flow(file, code, map, move).run(start, invokes, pool);
}

}  // namespace bursar::classfile
