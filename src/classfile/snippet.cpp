#include "classfile/snippet.h"

#include "classfile/descriptor.h"
#include "classfile/opcode.h"

namespace bursar::classfile {
namespace {

// All zeros by default: GCC 12 fills the end of a constant array with zeros, whatever the initializers of members say.
struct Effect {
  int taken = 0;
  int left = 0;
  bool known = false;  // an instruction that simple() takes
};

constexpr std::array<Effect, 256> kEffects = [] {
  std::array<Effect, 256> effects{};
  for (const std::uint8_t o : {op::kIadd, op::kIsub, op::kIand, op::kIor, op::kIxor}) effects[o] = {2, 1, true};
  for (const std::uint8_t o : {op::kLadd, op::kLsub, op::kLand, op::kLor, op::kLxor}) effects[o] = {4, 2, true};
  effects[op::kI2l] = {1, 2, true};
  effects[op::kL2i] = {2, 1, true};
  effects[op::kLcmp] = {4, 1, true};
  effects[op::kPop] = {1, 0, true};
  effects[op::kPop2] = {2, 0, true};
  effects[op::kDup] = {1, 2, true};
  effects[op::kDup2] = {2, 4, true};
  effects[op::kIaload] = {2, 1, true};
  effects[op::kLaload] = {2, 2, true};
  effects[op::kIastore] = {3, 0, true};
  effects[op::kLastore] = {4, 0, true};
  return effects;
}();

}  // namespace

void Snippet::effect(int taken, int left) {
  if (depth_ < taken) underflow_ = true;
  depth_ += left - taken;
  if (depth_ > static_cast<int>(max_depth_)) max_depth_ = static_cast<unsigned>(depth_);
}

void Snippet::uses(std::size_t local, FirstUse use) {
  if (first_use_[local] == FirstUse::kNone) first_use_[local] = use;
}

void Snippet::with_constant(std::uint8_t opcode, std::optional<std::uint16_t> index) {
  if (!index) pool_full_ = true;
  out_.u1(opcode);
  out_.u2_be(index.value_or(0));
}

void Snippet::push_int(std::int32_t value) {
  effect(0, 1);
  const auto bits = static_cast<std::uint32_t>(value);
  if (value >= -1 && value <= 5) {
    out_.u1(op::kIconst0 + bits);
  } else if (value >= -128 && value <= 127) {
    out_.u1(op::kBipush);
    out_.u1(bits);
  } else if (value >= -32768 && value <= 32767) {
    out_.u1(op::kSipush);
    out_.u2_be(bits);
  } else {
    with_constant(op::kLdcW, pool_.add_integer(value));
  }
}

void Snippet::push_long(std::int64_t value) {
  if (value >= -32768 && value <= 32767 && value != 0 && value != 1) {
    push_int(static_cast<std::int32_t>(value));
    simple(op::kI2l);
    return;
  }
  effect(0, 2);
  if (value == 0 || value == 1) {
    out_.u1(op::kLconst0 + static_cast<std::uint32_t>(value));
  } else {
    with_constant(op::kLdc2W, pool_.add_long(value));
  }
}

void Snippet::push_null() {
  effect(0, 1);
  out_.u1(op::kAconstNull);
}

void Snippet::push_zero(NewLocal::Type type) {
  switch (type) {
    case NewLocal::Type::kInt:
      return push_int(0);
    case NewLocal::Type::kLong:
      return push_long(0);
    case NewLocal::Type::kFloat:
      effect(0, 1);
      out_.u1(op::kFconst0);
      return;
    case NewLocal::Type::kDouble:
      effect(0, 2);
      out_.u1(op::kDconst0);
      return;
    case NewLocal::Type::kObject:
      return push_null();
  }
}

void Snippet::take(std::size_t local) {
  if (depth_ != 0) underflow_ = true;  // it would take a value of the snippet's own
  taken_ += locals_[local].slots();
  uses(local, FirstUse::kStore);
  local_access(op::kIstore, local);
}

void Snippet::give_back(std::size_t local) {
  if (depth_ != 0 || taken_ < locals_[local].slots()) {
    underflow_ = true;
    return;
  }
  taken_ -= locals_[local].slots();
  local_access(op::kIload, local);
}

void Snippet::peek_reference() {
  if (depth_ != 0) underflow_ = true;  // it would copy a value of the snippet's own
  effect(0, 1);
  out_.u1(op::kDup);
}

// The order of the types of locals is that below.
constexpr auto kReference = static_cast<unsigned>(NewLocal::Type::kObject);
static_assert(kReference == 4);

// iload, lload, …, aload and istore, …, astore lie in the order i, l, f, d, a; so do their forms with an implicit slot.
void Snippet::local_access(std::uint8_t first_opcode, std::size_t local) {
  slot_access(first_opcode, static_cast<unsigned>(locals_[local].type), slots_[local]);
}

void Snippet::slot_access(std::uint8_t first_opcode, unsigned kind, unsigned slot) {
  if (slot < 4) {
    out_.u1((first_opcode == op::kIload ? op::kIload0 : op::kIstore0) + kind * 4 + slot);
  } else if (slot < 256) {
    out_.u1(first_opcode + kind);
    out_.u1(slot);
  } else {
    out_.u1(op::kWide);
    out_.u1(first_opcode + kind);
    out_.u2_be(slot);
  }
}

void Snippet::load(std::size_t local) {
  effect(0, static_cast<int>(locals_[local].slots()));
  uses(local, FirstUse::kRead);
  local_access(op::kIload, local);
}

void Snippet::store(std::size_t local) {
  effect(static_cast<int>(locals_[local].slots()), 0);
  uses(local, FirstUse::kStore);
  local_access(op::kIstore, local);
}

void Snippet::load_parameter(std::uint16_t slot) {
  effect(0, 1);
  slot_access(op::kIload, kReference, slot);
}

void Snippet::load_int_parameter(std::uint16_t slot) {
  effect(0, 1);
  slot_access(op::kIload, 0, slot);
}

void Snippet::store_parameter(std::uint16_t slot) {
  effect(1, 0);
  slot_access(op::kIstore, kReference, slot);
}

void Snippet::store_int_parameter(std::uint16_t slot) {
  effect(1, 0);
  slot_access(op::kIstore, 0, slot);
}

void Snippet::increment(std::size_t local, std::int32_t by) {
  const unsigned slot = slots_[local];
  uses(local, FirstUse::kRead);
  if (by < -32768 || by > 32767) {
    load(local);
    push_int(by);
    simple(op::kIadd);
    store(local);
  } else if (slot < 256 && by >= -128 && by <= 127) {
    out_.u1(op::kIinc);
    out_.u1(slot);
    out_.u1(static_cast<std::uint32_t>(by));
  } else {
    out_.u1(op::kWide);
    out_.u1(op::kIinc);
    out_.u2_be(slot);
    out_.u2_be(static_cast<std::uint32_t>(by));
  }
}

void Snippet::field_access(std::uint8_t opcode, std::string_view cls, std::string_view name,
                           std::string_view descriptor) {
  with_constant(opcode, pool_.add_field_ref(cls, name, descriptor));
}

void Snippet::get_static(std::string_view cls, std::string_view name, std::string_view descriptor) {
  effect(0, static_cast<int>(slots_of(descriptor)));
  field_access(op::kGetstatic, cls, name, descriptor);
}

void Snippet::put_static(std::string_view cls, std::string_view name, std::string_view descriptor) {
  effect(static_cast<int>(slots_of(descriptor)), 0);
  field_access(op::kPutstatic, cls, name, descriptor);
}

void Snippet::get_field(std::string_view cls, std::string_view name, std::string_view descriptor) {
  effect(1, static_cast<int>(slots_of(descriptor)));
  field_access(op::kGetfield, cls, name, descriptor);
}

void Snippet::put_field(std::string_view cls, std::string_view name, std::string_view descriptor) {
  effect(1 + static_cast<int>(slots_of(descriptor)), 0);
  field_access(op::kPutfield, cls, name, descriptor);
}

void Snippet::invoke_static(std::string_view cls, std::string_view name, std::string_view descriptor) {
  const auto shape = call_shape(descriptor);
  if (!shape) {
    underflow_ = true;
    return;
  }
  effect(static_cast<int>(shape->argument_slots), static_cast<int>(shape->result_slots));
  with_constant(op::kInvokestatic, pool_.add_method_ref(cls, name, descriptor));
}

void Snippet::simple(std::uint8_t opcode) {
  const Effect& of_it = kEffects[opcode];
  if (!of_it.known) underflow_ = true;
  effect(of_it.taken, of_it.left);
  out_.u1(opcode);
}

void Snippet::begin_if_false() {
  if (depth_ != 1 || jump_ != Jump::kNone) underflow_ = true;
  effect(1, 0);
  jump_ = Jump::kOpen;
  jump_at_ = out_.size();
  out_.u1(op::kIfne);
  out_.u2_be(0);
}

void Snippet::end_if() {
  if (depth_ != 0 || jump_ != Jump::kOpen) {
    underflow_ = true;
    return;
  }
  jump_ = Jump::kToEnd;
  jump_to_ = out_.size();
  out_.patch_u2_be(jump_at_ + 1, static_cast<std::uint32_t>(jump_to_ - jump_at_));
}

void Snippet::begin_fork() {
  if (depth_ != 1 || fork_ != Fork::kNone) underflow_ = true;
  effect(1, 0);
  fork_ = Fork::kOpen;
  fork_at_ = out_.size();
}

void Snippet::drop_last_argument() {
  if (depth_ != 0 || fork_ != Fork::kOpen || out_.size() != fork_at_) underflow_ = true;
  out_.u1(op::kPop);
}

void Snippet::call_copy() {
  if (depth_ < 0 || fork_ != Fork::kOpen) underflow_ = true;
  depth_ = 0;
  fork_ = Fork::kCalled;
  copy_at_ = out_.size();
}

bool Snippet::usable(SkipReason& reason) const {
  if (pool_full_) reason = SkipReason::kConstantPoolFull;
  const bool jumps_well = jump_ == Jump::kNone || (jumps() && jump_to_ == out_.size());
  const bool balanced = !underflow_ && depth_ == 0 && taken_ == 0 && jumps_well && fork_ != Fork::kOpen;
  if (!balanced) reason = SkipReason::kBadProbe;
  return !pool_full_ && balanced;
}

}  // namespace bursar::classfile
