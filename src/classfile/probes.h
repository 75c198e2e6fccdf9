// The probe vocabulary: the places in a method that a mode can put code, and how it says what code.
//
//   entry          once per invocation, before the method's first instruction; sets the new locals
//   exit           before every return instruction (an exception that leaves the method is not an exit)
//   handler        when an exception arrives at a handler, before its first instruction
//   call site      before an invoke instruction, and behind it when it returned normally
//   branch edge    on one outcome of a conditional jump or switch
//   loop header    whenever control arrives at the header of a loop, from outside or round again
//   block          whenever control arrives at a block that is no loop header; of those the mode watches
//   throw          before an athrow instruction, where an exception is about to go to a handler or out; likewise
//   unwind         when an exception leaves the method: behind every handler of the method's own; its code runs,
//                  then the exception goes on. One for the whole method, and none where nothing can throw
//
// Positions are those of the original bytecode, so that two runs agree on them.
// A probe must not throw. One at a handler should not call: with the stack exhausted the call itself throws, and a
// handler that covers its own start (every synchronized block has one) would catch that for ever. Nor should one at the
// unwind: what it threw would leave the method in place of the exception. What the entry probe throws passes the unwind
// by: it may not have set the locals yet. So does what super(…) or this(…) throws in a constructor: see unwind_cover.h.
// C1 does not compile a method in which something that can throw, a putfield even, stands at the start of a handler
// that covers itself. Where such a handler calls nothing before it throws again, better leave it alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classfile/code_editor.h"
#include "classfile/control_flow.h"
#include "classfile/snippet.h"

namespace bursar::classfile {

enum class ProbeKind : std::uint8_t {
  kEntry,
  kExit,
  kHandler,
  kBeforeCall,
  kAfterCall,
  kBranchEdge,
  kLoopHeader,
  kUnwind,
  kBlock,
  kThrow,
};
inline constexpr std::size_t kProbeKinds = 10;

struct ProbePoint {
  ProbeKind kind;
  std::uint32_t pc = 0;       // of the return, handler, invoke, branch, loop header, block or athrow
  std::uint32_t outcome = 0;  // branch edge: 0 not taken, 1 taken; a switch numbers its distinct targets
  std::uint32_t target = 0;   // branch edge: where it leads (a pc)
};

// A method with code, as a mode sees it when it decides what to put into it.
struct MethodView {
  std::string_view class_name;  // internal: java/lang/String
  std::string_view name;
  std::string_view descriptor;
  std::uint16_t access;
  const ClassFile& file;
  const Member& member;
  const CodeAttribute& code;
  const ControlFlow& flow;
};

// What a mode does to the methods of a class. Called for one method at a time, in their order in the class.
class Instrumentation {
 public:
  virtual ~Instrumentation() = default;

  // Before anything else of this method; false leaves it alone (that is a choice, and not counted as skipped).
  virtual bool begin(const MethodView& method) = 0;
  // The locals that probes of this method share. Those that the entry probe does not store are set to zero or null.
  virtual std::span<const NewLocal> locals() const { return {}; }
  // Writes the code for this place; leave the snippet empty for none. Entry comes first, then places in bytecode order,
  // then the unwind. There the stack holds the exception and nothing else.
  virtual void emit(const ProbePoint& point, Snippet& snippet) = 0;
  // Is to be asked for code at this place as well: a block's start that is no loop header, or an athrow.
  virtual bool watches(std::uint32_t /*pc*/) { return false; }
  // The call at this place goes to the copy of what it names (method_copies.h). Asked after its kBeforeCall.
  virtual bool redirects(std::uint32_t /*pc*/) { return false; }
  // What takes the place of this call, if it is not that of a copy of what it names; its constant is 0 if the pool has
  // no room. Asked where the call is redirected, or forks.
  virtual std::optional<CopyCall> copy_call(std::uint32_t /*pc*/, ConstantPool& /*pool*/) { return std::nullopt; }
  // The method was rewritten, or left unchanged for a reason.
  virtual void end(bool rewritten) = 0;
};

}  // namespace bursar::classfile
