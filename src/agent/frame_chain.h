// FrameChain: the activations on a thread's stack, from the innermost on, by where they lie.
//
// An activation is a frame of compiled code, which stands for one or more methods, or one of the interpreter. The chain
// ends where Java was called from native code, and at whatever it does not understand. It reads only between the stack
// pointer and the stack's base, and what VmCode reads.
// Runs in: signal
#pragma once

#include <cstdint>

#include "agent/vm_code.h"

namespace bursar::agent {

struct Registers {
  Address pc = 0, sp = 0, fp = 0;
};

struct Activation {
  Address return_slot = 0;    // where its return address lies
  Address caller = 0;         // from here on the stack is its caller's
  std::uint32_t methods = 0;  // that it stands for
};

class FrameChain {
 public:
  // `was_interrupted`: the innermost frame may be anywhere in its code; otherwise it made a call.
  FrameChain(const VmCode& code, const Registers& innermost, Address stack_base, bool was_interrupted)
      : code_(code), at_(innermost), base_(stack_base), was_interrupted_(was_interrupted) {}

  // False at the end.
  bool next(Activation& activation);

 private:
  static constexpr Address kWord = 8;

  bool is_on_stack(Address address) const {
    return address >= at_.sp && address <= base_ - kWord && address % kWord == 0;
  }
  bool leave_interpreted(Activation& activation);
  bool leave(std::uint64_t frame_bytes, Activation& activation);
  friend bool leave_stub(const VmCode&, const VmCode::Found&, Address, Registers&);

  const VmCode& code_;
  Registers at_;
  const Address base_;
  bool was_interrupted_;
};

// From a frame of the VM's own code to its caller's. False if the caller lies beyond the stack.
// Runs in: signal
bool leave_stub(const VmCode& code, const VmCode::Found& stub, Address stack_base, Registers& registers);

// Where a thread of the VM (its JavaThread) left Java code, if its stack's top is `top` now. False if that is not
// known. Runs in: signal
bool left_frame(const VmLayout& layout, Address thread, Address top, Registers& registers);

// The innermost Java frame of a thread of the VM (its JavaThread) that a signal interrupted in `context`: where it is,
// or where it left Java code. False if neither is known.
// Runs in: signal
bool innermost_frame(const VmLayout& layout, Address thread, const void* context, Registers& registers,
                     bool& was_interrupted, const VmCode& code);

}  // namespace bursar::agent
