#include <ucontext.h>

#include <algorithm>

#include "agent/frame_chain.h"

namespace bursar::agent {
namespace {

// Of an interpreter's frame, in words from its frame pointer (HotSpot's frame_x86.hpp).
constexpr std::int64_t kCallersSp = -1, kLocals = -7;

}  // namespace

bool FrameChain::leave(std::uint64_t frame_bytes, Activation& activation) {
  constexpr std::uint64_t kLargestFrame = 1 << 20;
  const Address end = at_.sp + frame_bytes;
  if (frame_bytes < 2 * kWord || frame_bytes > kLargestFrame || !is_on_stack(end - kWord)) return false;
  activation.return_slot = end - kWord;
  activation.caller = end - 2 * kWord;  // with its frame pointer
  at_ = {load<Address>(end - kWord), end, load<Address>(end - 2 * kWord)};
  return true;
}

bool FrameChain::leave_interpreted(Activation& activation) {
  const Address fp = at_.fp;
  if (!is_on_stack(fp) || !is_on_stack(fp + kWord) || fp < at_.sp + static_cast<Address>(-kLocals) * kWord)
    return false;
  const auto word = [&](std::int64_t at) { return load<Address>(fp + static_cast<Address>(at) * kWord); };
  const Address sp = word(kCallersSp);
  // From JDK 21 on relative to the frame (JDK-8299795).
  constexpr Address kMostLocals = 1 << 17;
  const Address locals = word(kLocals) < kMostLocals ? fp + word(kLocals) * kWord : word(kLocals);
  if (!is_on_stack(sp - kWord) || !is_on_stack(locals) || sp <= fp) return false;
  activation.return_slot = fp + kWord;
  activation.caller = std::max(sp, locals + kWord);  // its parameters are its own
  at_ = {word(1), sp, word(0)};
  return true;
}

bool FrameChain::next(Activation& activation) {
  for (;;) {
    const VmCode::Found found = code_.find(at_.pc);
    const Address pc = at_.pc;
    const bool is_return_address = !was_interrupted_;
    was_interrupted_ = false;
    switch (found.kind) {
      case VmCode::Kind::kUnknown:
        return false;
      case VmCode::Kind::kInterpreter:
        activation.methods = 1;
        return leave_interpreted(activation);
      case VmCode::Kind::kStub:
        // Of the VM's own; only on the way from where a thread left Java code.
        if (!is_return_address || !leave(found.frame_bytes, activation)) return false;
        break;
      case VmCode::Kind::kCompiled:
      case VmCode::Kind::kNative:
        if (!is_return_address && pc < found.frame_made) return false;
        activation.methods = code_.methods_at(found, pc, is_return_address);
        return activation.methods > 0 && leave(found.frame_bytes, activation);
    }
  }
}

bool leave_stub(const VmCode& code, const VmCode::Found& stub, Address stack_base, Registers& registers) {
  FrameChain chain(code, registers, stack_base, false);
  Activation activation;
  if (!chain.leave(stub.frame_bytes, activation)) return false;
  registers = chain.at_;
  return true;
}

bool left_frame(const VmLayout& layout, Address thread, Address top, Registers& registers) {
  const Address sp = load<Address>(thread + layout.thread_anchor_sp);
  const Address base = load<Address>(thread + layout.thread_stack_base);
  constexpr Address kWord = 8;
  if (sp < top + kWord || sp >= base || sp % kWord != 0) return false;
  const Address pc = load<Address>(thread + layout.thread_anchor_pc);
  registers = {pc != 0 ? pc : load<Address>(sp - kWord), sp, load<Address>(thread + layout.thread_anchor_fp)};
  return true;
}

bool innermost_frame(const VmLayout& layout, Address thread, const void* context, Registers& registers,
                     bool& was_interrupted, const VmCode& code) {
  const auto& interrupted = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs;
  registers = {static_cast<Address>(interrupted[REG_RIP]), static_cast<Address>(interrupted[REG_RSP]),
               static_cast<Address>(interrupted[REG_RBP])};
  was_interrupted = true;
  const VmCode::Kind kind = code.find(registers.pc).kind;
  if (kind == VmCode::Kind::kInterpreter || kind == VmCode::Kind::kCompiled) return true;
  was_interrupted = false;
  return left_frame(layout, thread, registers.sp, registers);
}

}  // namespace bursar::agent
