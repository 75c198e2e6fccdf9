#include "classfile/unwind_cover.h"

#include <algorithm>
#include <optional>

#include "classfile/descriptor.h"

namespace bursar::classfile {
namespace {

std::uint32_t constant_of(const Instructions& instructions, const Instruction& instruction) {
  base::ByteReader reader(instructions.code(), instruction.pc + 1);
  return constant_bytes(instruction.opcode) == 1 ? reader.u1() : reader.u2_be();
}

// A loop can be stopped from outside: Thread.stop in JDK 17, JVMTI's StopThread.
bool can_throw(const Instructions& instructions, std::uint32_t index, const ConstantPool& pool) {
  const Instruction& instruction = instructions[index];
  if (instruction.opcode >= op::kLdc && instruction.opcode <= op::kLdc2W) {
    const ConstantTag tag = pool.tag(constant_of(instructions, instruction));
    return tag < ConstantTag::kInteger || tag > ConstantTag::kDouble;
  }
  const bool jumps = instruction.operand() == Operand::kBranch16 || instruction.operand() == Operand::kBranch32 ||
                     is_switch(instruction.opcode);
  const auto back = [index](std::uint32_t target) { return target <= index; };
  const auto cases = instructions.case_targets(instruction);
  return may_throw(instruction.opcode) || (jumps && back(instruction.target)) || std::ranges::any_of(cases, back);
}

struct Effect {
  std::uint8_t taken = 0;
  std::uint8_t left = 0;
};

// In slots, of instructions for which it is always the same and nothing but values goes through.
constexpr std::array<Effect, 256> kEffects = [] {
  std::array<Effect, 256> effects{};
  const auto set = [&](unsigned first, unsigned last, Effect one, Effect other) {
    for (unsigned i = first; i <= last; ++i) effects[i] = (i - first) % 2 == 0 ? one : other;
  };
  const auto all = [&](unsigned first, unsigned last, Effect effect) { set(first, last, effect, effect); };
  all(0x01, 0x08, {0, 1});             // aconst_null … iconst_5
  all(0x09, 0x0a, {0, 2});             // lconst
  all(0x0b, 0x0d, {0, 1});             // fconst
  all(0x0e, 0x0f, {0, 2});             // dconst
  all(0x10, 0x13, {0, 1});             // bipush … ldc_w
  all(0x14, 0x14, {0, 2});             // ldc2_w
  set(0x15, 0x18, {0, 1}, {0, 2});     // iload lload fload dload
  for (unsigned i = 0; i < 16; ++i) {  // iload_0 … dload_3, istore_0 … dstore_3
    const std::uint8_t slots = i / 4 % 2 == 0 ? 1 : 2;
    effects[0x1a + i] = {0, slots};
    effects[0x3b + i] = {slots, 0};
  }
  set(0x2e, 0x31, {2, 1}, {2, 2});  // iaload laload faload daload
  all(0x32, 0x35, {2, 1});          // aaload … saload
  set(0x36, 0x39, {1, 0}, {2, 0});  // istore lstore fstore dstore
  set(0x4f, 0x52, {3, 0}, {4, 0});  // iastore lastore fastore dastore
  all(0x53, 0x56, {3, 0});          // aastore … sastore
  all(0x57, 0x57, {1, 0});          // pop
  all(0x58, 0x58, {2, 0});          // pop2
  set(0x60, 0x73, {2, 1}, {4, 2});  // iadd … drem
  set(0x74, 0x77, {1, 1}, {2, 2});  // ineg … dneg
  set(0x78, 0x7d, {2, 1}, {3, 2});  // ishl … lushr
  set(0x7e, 0x83, {2, 1}, {4, 2});  // iand … lxor
  set(0x85, 0x87, {1, 2}, {1, 1});  // i2l i2f i2d
  all(0x88, 0x89, {2, 1});          // l2i l2f
  all(0x8a, 0x8a, {2, 2});          // l2d
  all(0x8b, 0x8b, {1, 1});          // f2i
  all(0x8c, 0x8d, {1, 2});          // f2l f2d
  set(0x8e, 0x90, {2, 1}, {2, 2});  // d2i d2l d2f
  all(0x91, 0x93, {1, 1});          // i2b i2c i2s
  all(0x94, 0x94, {4, 1});          // lcmp
  all(0x95, 0x96, {2, 1});          // fcmp
  all(0x97, 0x98, {4, 1});          // dcmp
  all(0x99, 0x9e, {1, 0});          // ifeq … ifle
  all(0x9f, 0xa6, {2, 0});          // if_icmpeq … if_acmpne
  all(0xaa, 0xab, {1, 0});          // switches
  all(0xbb, 0xbb, {0, 1});          // new
  all(0xbc, 0xbe, {1, 1});          // newarray anewarray arraylength
  all(0xc0, 0xc1, {1, 1});          // checkcast instanceof
  all(0xc2, 0xc3, {1, 0});          // monitorenter monitorexit
  all(0xc6, 0xc7, {1, 0});          // ifnull ifnonnull
  return effects;
}();

// Follows the uninitialized `this` of a constructor through locals and stack, up to the call that initializes it.
class ThisTracker {
 public:
  ThisTracker(const ClassFile& file, const CodeAttribute& code)
      : pool_(file.pool), instructions_(code.instructions), locals_(code.max_locals, false) {
    locals_[0] = true;
  }

  void arrive(const Frame& frame) {
    stack_.clear();
    locals_.assign(locals_.size(), false);
    const auto expand = [](const Types& types, std::vector<bool>& slots, bool grow) {
      std::size_t at = 0;
      for (const VerificationType& type : types) {
        if (grow) slots.resize(at + type.slots(), false);
        if (at < slots.size()) slots[at] = type.tag == VerificationType::kUninitializedThis;
        at += type.slots();
      }
    };
    expand(frame.locals, locals_, false);
    expand(frame.stack, stack_, true);
    const auto holds_it = [](const std::vector<bool>& slots) { return std::ranges::find(slots, true) != slots.end(); };
    state_ = holds_it(locals_) || holds_it(stack_) ? State::kUninitialized : State::kInitialized;
  }
  void lose_track() { state_ = State::kUnknown; }

  // Of the instruction at hand; then goes on to what holds behind it.
  UnwindPart step(std::uint32_t index) {
    if (state_ == State::kInitialized) return UnwindPart::kMain;
    if (state_ == State::kUnknown) return UnwindPart::kNone;
    const UnwindPart part = locals_[0] ? UnwindPart::kBeforeSuper : UnwindPart::kNone;
    const Instruction& instruction = instructions_[index];
    if (!execute(instruction)) lose_track();
    return state_ == State::kInitialized ? UnwindPart::kNone : part;
  }

 private:
  enum class State : std::uint8_t { kUninitialized, kInitialized, kUnknown };

  bool take(std::size_t slots) {
    if (slots > stack_.size()) return false;
    stack_.resize(stack_.size() - slots);
    return true;
  }
  bool pass(std::size_t taken, std::size_t left) {
    if (!take(taken)) return false;
    stack_.resize(stack_.size() + left, false);
    return true;
  }

  bool execute(const Instruction& instruction) {
    const std::uint8_t opcode = instruction.opcode;
    if (is_invoke(opcode)) return call(instruction);
    if (opcode >= op::kGetstatic && opcode <= op::kPutfield) return field(instruction);
    if (opcode >= op::kDup && opcode <= 0x5e) return duplicate(1U + (opcode >= op::kDup2), (opcode - op::kDup) % 3U);
    if (opcode == op::kAload || (opcode >= op::kAload0 && opcode <= op::kAload3)) {
      stack_.push_back(locals_[instruction.local]);
      return true;
    }
    if (opcode == op::kAstore || (opcode >= 0x4b && opcode <= op::kAstore3)) {
      if (stack_.empty()) return false;
      locals_[instruction.local] = stack_.back();
      return take(1);
    }
    if (opcode == op::kSwap) {
      if (stack_.size() < 2) return false;
      const bool top = stack_.back();
      stack_.back() = stack_[stack_.size() - 2];
      stack_[stack_.size() - 2] = top;
      return true;
    }
    if (opcode == 0xc5) {  // multianewarray
      base::ByteReader dimensions(instructions_.code(), instruction.pc + 3);
      return pass(dimensions.u1(), 1);
    }
    if (is_jsr(opcode) || opcode == op::kRet) return false;
    return forget_local(instruction) && pass(kEffects[opcode].taken, kEffects[opcode].left);
  }

  // What stores another value forgets what was there.
  bool forget_local(const Instruction& instruction) {
    const bool stores = instruction.opcode >= op::kIstore && instruction.opcode <= op::kAstore3;
    for (unsigned i = 0; stores && i < instruction.local_slots(); ++i) locals_[instruction.local + i] = false;
    return true;
  }

  // dup, dup_x1 … dup2_x2: copies `slots` of the top to below `below` more.
  bool duplicate(std::size_t slots, std::size_t below) {
    if (slots + below > stack_.size()) return false;
    const std::vector<bool> top(stack_.end() - static_cast<std::ptrdiff_t>(slots), stack_.end());
    stack_.insert(stack_.end() - static_cast<std::ptrdiff_t>(slots + below), top.begin(), top.end());
    return true;
  }

  bool field(const Instruction& instruction) {
    const auto member = pool_.member_ref(constant_of(instructions_, instruction));
    if (!member) return false;
    const std::size_t value = slots_of(member->descriptor);
    const std::size_t object = instruction.opcode >= op::kGetfield ? 1 : 0;
    const bool gets = instruction.opcode == op::kGetstatic || instruction.opcode == op::kGetfield;
    return gets ? pass(object, value) : pass(object + value, 0);
  }

  bool call(const Instruction& instruction) {
    const auto member = pool_.member_ref(constant_of(instructions_, instruction));
    const auto shape = member ? call_shape(member->descriptor) : std::nullopt;
    if (!shape || !take(shape->argument_slots)) return false;
    const bool has_receiver = instruction.opcode != op::kInvokestatic && instruction.opcode != op::kInvokedynamic;
    if (has_receiver) {
      if (stack_.empty()) return false;
      const bool on_this = stack_.back();
      take(1);
      if (on_this && member->name == "<init>") state_ = State::kInitialized;
    }
    return pass(0, shape->result_slots);
  }

  const ConstantPool& pool_;
  const Instructions& instructions_;
  std::vector<bool> locals_, stack_;  // by slot: holds the uninitialized `this`
  State state_ = State::kUninitialized;
};

std::vector<UnwindPart> parts_of_constructor(const ClassFile& file, const CodeAttribute& code, const StackMap& map) {
  const Instructions& instructions = code.instructions;
  ThisTracker tracker(file, code);
  std::vector<UnwindPart> parts;
  auto frame = map.frames.begin();
  for (std::uint32_t i = 0; i < instructions.size(); ++i) {
    if (i > 0 && ends_flow(instructions[i - 1].opcode)) tracker.lose_track();
    while (frame != map.frames.end() && frame->position < instructions[i].pc) ++frame;
    if (frame != map.frames.end() && frame->position == instructions[i].pc) tracker.arrive(*frame);
    parts.push_back(tracker.step(i));
  }
  return parts;
}

}  // namespace

UnwindCover UnwindCover::of(const ClassFile& file, const Member& method, const CodeAttribute& code,
                            const StackMap& map) {
  UnwindCover cover;
  const bool is_constructor = file.member_name(method) == "<init>" && (method.access & kAccStatic) == 0;
  const bool splits = is_constructor && file.name() != "java/lang/Object" &&  // which has no super() to call
                      file.major_version >= kFirstVersionWithStackMaps;
  if (splits) cover.parts_ = parts_of_constructor(file, code, map);
  for (std::uint32_t i = 0; i < code.instructions.size(); ++i) {
    bool& throws = cover.throws_[static_cast<std::size_t>(cover.part_of(i))];
    throws = throws || can_throw(code.instructions, i, file.pool);
  }
  return cover;
}

}  // namespace bursar::classfile
