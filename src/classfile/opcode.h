// The instructions of the Java virtual machine, as far as an editor must know them: how long each is and what its
// operands refer to.
#pragma once

#include <array>
#include <cstdint>

namespace bursar::classfile {

// The opcodes that somebody here names; all others are just bytes.
namespace op {
inline constexpr std::uint8_t kNop = 0x00, kAconstNull = 0x01, kIconst0 = 0x03, kLconst0 = 0x09, kFconst0 = 0x0b,
                              kDconst0 = 0x0e, kBipush = 0x10, kSipush = 0x11, kLdc = 0x12, kLdcW = 0x13, kLdc2W = 0x14;
inline constexpr std::uint8_t kIload = 0x15, kLload = 0x16, kDload = 0x18, kAload = 0x19, kIload0 = 0x1a,
                              kLload0 = 0x1e, kAload0 = 0x2a, kAload3 = 0x2d;
inline constexpr std::uint8_t kIstore = 0x36, kLstore = 0x37, kDstore = 0x39, kAstore = 0x3a, kIstore0 = 0x3b,
                              kAstore3 = 0x4e;
inline constexpr std::uint8_t kPop = 0x57, kPop2 = 0x58, kDup = 0x59, kDup2 = 0x5c, kSwap = 0x5f, kIadd = 0x60,
                              kLadd = 0x61, kIsub = 0x64, kLsub = 0x65, kIand = 0x7e, kLand = 0x7f, kIor = 0x80,
                              kLor = 0x81, kIxor = 0x82, kLxor = 0x83, kIinc = 0x84, kI2l = 0x85, kL2i = 0x88,
                              kLaload = 0x2f, kLastore = 0x50, kIaload = 0x2e, kIastore = 0x4f;
inline constexpr std::uint8_t kLcmp = 0x94, kIfeq = 0x99, kIfne = 0x9a, kIflt = 0x9b, kIfIcmpeq = 0x9f,
                              kIfAcmpne = 0xa6, kGoto = 0xa7, kJsr = 0xa8, kRet = 0xa9, kTableswitch = 0xaa,
                              kLookupswitch = 0xab, kIreturn = 0xac, kReturn = 0xb1;
inline constexpr std::uint8_t kGetstatic = 0xb2, kPutstatic = 0xb3, kGetfield = 0xb4, kPutfield = 0xb5,
                              kInvokevirtual = 0xb6, kInvokespecial = 0xb7, kInvokestatic = 0xb8,
                              kInvokeinterface = 0xb9, kInvokedynamic = 0xba, kNew = 0xbb, kAthrow = 0xbf,
                              kMonitorenter = 0xc2, kWide = 0xc4, kIfnull = 0xc6, kIfnonnull = 0xc7, kGotoW = 0xc8,
                              kJsrW = 0xc9;
}  // namespace op

enum class Operand : std::uint8_t {
  kInvalid,        // no such instruction
  kPlain,          // position-independent: constants, constant-pool indices, types, or nothing
  kLocal,          // one-byte index of a local variable
  kImplicitLocal,  // the index is in the opcode: iload_0 … astore_3
  kIinc,           // local variable and increment
  kBranch16,       // two-byte offset
  kBranch32,       // four-byte offset
  kTableswitch,
  kLookupswitch,
  kWide,
};

struct OpcodeInfo {
  Operand operand = Operand::kInvalid;
  std::uint8_t length = 0;  // 0: depends on position and contents
};

inline constexpr std::array<OpcodeInfo, 256> kOpcodes = [] {
  std::array<OpcodeInfo, 256> table{};
  const auto set = [&](unsigned first, unsigned last, Operand operand, std::uint8_t length) {
    for (unsigned i = first; i <= last; ++i) table[i] = {operand, length};
  };
  set(0x00, 0xc9, Operand::kPlain, 1);
  set(op::kBipush, op::kBipush, Operand::kPlain, 2);
  set(op::kSipush, op::kSipush, Operand::kPlain, 3);
  set(op::kLdc, op::kLdc, Operand::kPlain, 2);
  set(op::kLdcW, op::kLdc2W, Operand::kPlain, 3);
  set(op::kIload, op::kAload, Operand::kLocal, 2);
  set(op::kIload0, op::kAload3, Operand::kImplicitLocal, 1);
  set(op::kIstore, op::kAstore, Operand::kLocal, 2);
  set(op::kIstore0, op::kAstore3, Operand::kImplicitLocal, 1);
  set(op::kIinc, op::kIinc, Operand::kIinc, 3);
  set(op::kIfeq, op::kJsr, Operand::kBranch16, 3);
  set(op::kRet, op::kRet, Operand::kLocal, 2);
  set(op::kTableswitch, op::kTableswitch, Operand::kTableswitch, 0);
  set(op::kLookupswitch, op::kLookupswitch, Operand::kLookupswitch, 0);
  set(op::kGetstatic, op::kInvokestatic, Operand::kPlain, 3);
  set(op::kInvokeinterface, op::kInvokedynamic, Operand::kPlain, 5);
  set(op::kNew, op::kNew, Operand::kPlain, 3);
  set(0xbc, 0xbc, Operand::kPlain, 2);  // newarray
  set(0xbd, 0xbd, Operand::kPlain, 3);  // anewarray
  set(0xc0, 0xc1, Operand::kPlain, 3);  // checkcast, instanceof
  set(op::kWide, op::kWide, Operand::kWide, 0);
  set(0xc5, 0xc5, Operand::kPlain, 4);  // multianewarray
  set(op::kIfnull, op::kIfnonnull, Operand::kBranch16, 3);
  set(op::kGotoW, op::kJsrW, Operand::kBranch32, 5);
  return table;
}();

constexpr bool is_conditional_branch(std::uint8_t opcode) {
  return (opcode >= op::kIfeq && opcode <= op::kIfAcmpne) || opcode == op::kIfnull || opcode == op::kIfnonnull;
}
constexpr bool is_goto(std::uint8_t opcode) {
  return opcode == op::kGoto || opcode == op::kGotoW;
}
constexpr bool is_jsr(std::uint8_t opcode) {
  return opcode == op::kJsr || opcode == op::kJsrW;
}
constexpr bool is_switch(std::uint8_t opcode) {
  return opcode == op::kTableswitch || opcode == op::kLookupswitch;
}
constexpr bool is_return(std::uint8_t opcode) {
  return opcode >= op::kIreturn && opcode <= op::kReturn;
}
constexpr bool is_invoke(std::uint8_t opcode) {
  return opcode >= op::kInvokevirtual && opcode <= op::kInvokedynamic;
}
// How many bytes of constant-pool index stand behind the opcode.
constexpr unsigned constant_bytes(std::uint8_t opcode) {
  if (opcode == op::kLdc) return 1;
  const bool two = opcode == op::kLdcW || opcode == op::kLdc2W || (opcode >= op::kGetstatic && opcode <= op::kNew) ||
                   opcode == 0xbd || opcode == 0xc0 || opcode == 0xc1 || opcode == 0xc5;
  return two ? 2 : 0;
}
// Whether it can throw. Loads of constants are not among them: it depends on the constant. A return can only if the
// method unlocked what it had not locked, and then it has a monitorexit.
constexpr bool may_throw(std::uint8_t opcode) {
  const auto in = [opcode](std::uint8_t first, std::uint8_t last) { return first <= opcode && opcode <= last; };
  return in(0x2e, 0x35) || in(0x4f, 0x56) ||          // array loads and stores
         in(0x6c, 0x6d) || in(0x70, 0x71) ||          // idiv, ldiv, irem, lrem
         in(op::kGetstatic, 0xc3) || opcode == 0xc5;  // fields … monitorexit, multianewarray
}
// Control never reaches the next instruction by itself. A jsr does not fall through either: its subroutine returns.
constexpr bool ends_flow(std::uint8_t opcode) {
  return is_goto(opcode) || is_jsr(opcode) || is_switch(opcode) || is_return(opcode) || opcode == op::kAthrow ||
         opcode == op::kRet;
}

}  // namespace bursar::classfile
