// ExactProbes: what mode exact puts into a method, so that every call is counted in its context.
//
// One local, n: the method's node. Called are methods that the agent adds to Object (added_members.h); k is the offset
// of a call site's slot in a node.
//   entry          known = enter(method); n = slot(); if (!known) n = findNode(method)
//   call site      call(n, k); the call; called(n, k)            counts what was called if nobody else did
//     … expected to count itself: the same, but the JIT need not know what would be done: calledProbed(n, k)
//     … relied on to count itself: trusted(n, k), which is nothing as long as trust holds (trust.h)
//     … known to count itself: nothing behind the call
//     … known not to (native): callUnprobed(n, k); the call; move(n)           (callUnprobedOn where it may be null)
//     … overridden by native methods: callVirtual(receiver, n, k); the call; calledAny(n, k); move(n)
//     … the constructor of Object: count(n, k); the call
//     … of a method handle's linker: its last argument is kept too, to know what was called
//   exit, unwind   leave(n)                                      to where it was entered from
//   handler        move(n)
// Each finds the thread, and with it the cursor, anew: one local less in every frame costs the JIT less than it saves.
// The entry's decision stands in the method itself, so that it has a profile of its own: where contexts are no longer
// made, the JIT leaves findNode out, and with it all that a call might have changed.
// Calls at handlers and in the unwind need no more stack than those at the entry did.
// A method that the JIT replaces is a leaf, since it makes its calls or not as the JIT likes: they go to the mute node,
// except on the way to a throw (there the JIT falls back to bytecode).
// A method that the VM calls because of us is invisible: it and what it calls stay in the mute node.
// Through method handles a copy gets to the copies of what they call (BursarLinks.java):
//   linked         an invokedynamic in place of the call, linked by Object.bursarLinkage
//   adapter's      t = twin(…); call(n, k); if (calledByTwin(t)) MethodHandle.linkTo… of t else the call; called(n, k)
// In bursts some calls go to copies or not (gates.h), and a local, f, says which: the node of this frame in the tree
// that is counted into, 0 in a method while it does not count. In a copy 0 stands for n, and the node asleep for not to
// count.
//   gate g         f = pass(f, g)                                               in a copy: passInCopy(f, n, g)
//   in a method    if (counts(f, k)) { the copy; backFromCopy() } else the call
//     … in which optimized code does not end at gates: passOrTurn(f, g), countsOrNot(f, k)
//   in a copy      if (countsInCopy(f, n, k)) the copy else the call; called(n, k); move(n)
//   handler        backFromCopy()                                               in a method
// A path ends (burst_probes.h), and its number is r:  countPath(n, r)
// Two places of the class library do something for us besides: hidden classes (lambdas, method handles), which no agent
// gets to see, are rewritten on their way to the VM, and reflection leaves out what the agent added.
// Runs in: any thread that may allocate; an object rewrites one class
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "agent/class_registry.h"
#include "agent/gates.h"
#include "classfile/bootstrap_methods.h"
#include "classfile/probes.h"
#include "core/context_tree.h"
#include "core/method_table.h"

namespace bursar::agent {

class ExactProbes : public classfile::Instrumentation {
 public:
  // `ids`: of the methods of this very class when it was rewritten before, in their order; new ones are added to it.
  // `hidden`: the class is not known to the registry by its name. `trusting`: methods of this class that its other
  // methods call are taken to get a probe; right only if complete() afterwards.
  ExactProbes(core::MethodTable& methods, ClassRegistry& registry, std::vector<core::MethodId>& ids, bool hidden,
              bool trusting)
      : methods_(methods), registry_(registry), ids_(ids), hidden_(hidden), trusting_(trusting && !hidden) {}

  // Which body of a method is at hand.
  enum class Body : std::uint8_t {
    kOnly,      // the method's own: its calls lead to methods' own bodies
    kOriginal,  // beside a copy, of which it was asked before: not counted; what is done besides, and gates
    kCopy,      // of the method's copy: calls lead to copies, at gates to copies or not
    kInner,     // the second one in a method that has no copy
  };
  enum class Gated : std::uint8_t { kNo, kYes };
  // The next method is the class's nth with code. An original has the gates of the copy before it.
  void set_body(Body body, std::size_t ordinal, Gated gated = Gated::kYes) {
    body_ = body;
    ordinal_ = ordinal;
    gated_ = gated;
  }
  core::MethodId id() const { return id_; }
  // The body at hand is one of a frame that counts, and a path of it, whose number is in this local, has ended.
  bool has_node() const { return counts_ && id_ != core::kNoMethod; }
  static void emit_end_of_path(std::size_t path_local, classfile::Snippet& snippet);
  // Where copies and originals have gates; none if this is not called.
  void use(Gates& gates) { gates_ = &gates; }
  // What dynamic calls of copies are linked by; without it they lead out of bursts.
  void use(classfile::BootstrapMethods& bootstraps, classfile::ConstantPool& pool) {
    bootstraps_ = &bootstraps;
    pool_ = &pool;
  }
  // The method at hand.
  bool has_gates() const { return !forks_at_.empty(); }

  // Every method that is to be counted got its probe.
  bool complete() const { return complete_; }

  bool begin(const classfile::MethodView& method) override;
  std::span<const classfile::NewLocal> locals() const override;
  void emit(const classfile::ProbePoint& point, classfile::Snippet& snippet) override;
  bool redirects(std::uint32_t pc) override;
  std::optional<classfile::CopyCall> copy_call(std::uint32_t pc, classfile::ConstantPool& pool) override;
  void end(bool rewritten) override;

 private:
  // How a call site and what it calls agree on who counts.
  enum class Protocol : std::uint8_t {
    kCheck,         // nobody knows: look behind the call whether it was counted
    kExpect,        // the callee does, if nothing unexpected happens: look all the same
    kTrust,         // the callee does, and if that may have changed, we are told
    kCountsItself,  // the callee does
    kUnprobed,      // the call site does
    kUnprobedOn,    // the call site does, unless the receiver (on top of the stack) is null
    kByReceiver,    // the receiver, below the arguments, decides; they are moved out of the way
    kCounted,       // the call site does, in its slot; the callee is the constructor of Object
    kMuted,         // nobody does
  };
  // How a copy's call gets through a method handle.
  enum class Through : std::uint8_t {
    kNothing,  // it calls a method; or what it calls is not counted
    kLinked,   // by us
    kMember,   // linkTo…: by a MemberName, the last argument
    kHandle,   // invokeBasic: by the method handle, the receiver
  };
  struct Site {
    std::uint32_t bci = 0;
    Protocol protocol = Protocol::kCheck;
    bool links = false;
    bool dynamic = false;  // through a method handle
    Through through = Through::kNothing;
    bool redirected = false;         // to a copy
    bool forks = false;              // or only if that is decided
    std::size_t first_argument = 0;  // kByReceiver, kHandle: locals for the arguments
    std::size_t arguments = 0;
    std::size_t twin = 0;  // kMember, kHandle: a local
  };

  void find_sites(std::vector<core::CallSite>& sites);
  bool leads_to_copy(const Site& plan, const core::CallSite& site) const;
  Site classify(const classfile::Instruction& instruction, core::CallSite& site) const;
  void plan_way_through(Site& site, const classfile::Instruction& instruction);
  std::optional<std::uint16_t> linkage_of(const classfile::Instruction& instruction);
  void emit_call_of_twin(const Site& site, std::size_t index, classfile::Snippet& snippet);
  void plan_arguments(Site& site, std::string_view descriptor);
  Protocol unprobed_call(const classfile::Instruction& instruction,
                         const classfile::ConstantPool::MemberRef& ref) const;
  void find_gates();
  void emit_gate(std::uint32_t pc, classfile::Snippet& snippet);
  void emit_in_original(const classfile::ProbePoint& point, classfile::Snippet& snippet);
  void emit_entry(classfile::Snippet& snippet);
  void emit_before_call(std::size_t index, classfile::Snippet& snippet);
  void emit_after_call(std::size_t index, classfile::Snippet& snippet);
  void set_cursor(classfile::Snippet& snippet, std::size_t local);
  std::size_t index_of(std::uint32_t bci) const;

  core::MethodTable& methods_;
  ClassRegistry& registry_;
  std::vector<core::MethodId>& ids_;
  bool hidden_;
  bool trusting_;
  bool complete_ = true;
  Body body_ = Body::kOnly;
  Gated gated_ = Gated::kYes;
  Gates* gates_ = nullptr;
  classfile::BootstrapMethods* bootstraps_ = nullptr;
  classfile::ConstantPool* pool_ = nullptr;
  // Of the copy that was at hand last.
  std::unordered_map<std::uint32_t, GateNumber> gates_at_;     // by position
  std::unordered_map<std::uint32_t, std::int32_t> forks_at_;   // by position of the call: its slot
  std::unordered_map<std::uint32_t, std::uint16_t> linkages_;  // by position of a dynamic call: its bootstrap method
  bool ends_code_ = false;                                     // optimized code ends at these gates
  std::size_t gates_of_ = 0;                                   // which method this is

  // Of the method at hand.
  std::size_t decided_local_ = 0;  // f
  const classfile::MethodView* method_ = nullptr;
  core::MethodId id_ = core::kNoMethod;
  std::size_t ordinal_ = 0;  // among the methods with code
  bool invisible_ = false;
  bool counts_ = true;       // or does only what it does besides
  std::vector<Site> sites_;  // in bytecode order
  std::vector<classfile::NewLocal> locals_;
};

}  // namespace bursar::agent
