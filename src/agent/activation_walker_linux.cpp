#include "agent/activation_walker.h"

#include <ucontext.h>

#include <algorithm>

namespace bursar::agent {
namespace {

// Every so often a stack is walked to its end, whatever was seen: no mistake lasts.
constexpr std::uint64_t kMostStopped = 100;

// HotSpot's words for a thread outside of Java code, that has none to return to or whose frames it does not understand;
// and for one in the VM's code.
constexpr std::int32_t kNoJavaFrame = 0, kUnknownNative = -3, kBrokenNative = -4, kInVm = 6;

void store(Address address, Address value) {
  // The compiler must not see that it is what it was before.
  *reinterpret_cast<volatile Address*>(address) = value;  // NOLINT(performance-no-int-to-ptr): the VM's memory
}

}  // namespace

std::string ActivationWalker::prepare(JavaVM* vm) {
  walker_ = find_stack_walker(vm);
  return walker_ != nullptr ? "" : "this JVM has no AsyncGetCallTrace, by which stacks are walked";
}

void ActivationWalker::begin(JavaVM* vm, int release, std::int64_t env_offset, SampleWalks how) {
  how_ = SampleWalks::kFull;
  env_offset_ = env_offset;
  if (env_offset == 0) code_.reset();
  if (env_offset != 0 && !code_) {
    if (const std::optional<VmLayout> layout = read_vm_layout(vm, release)) code_.emplace(*layout);
  }
  if (code_ && how != SampleWalks::kFull && seen_.map()) how_ = how;
}

void ActivationWalker::walk_all(JNIEnv* env, void* context, Walk& walk) {
  CallTrace trace{env, 0, walk.frame};
  const std::uint32_t words = walk_stack(walker_, trace, kMaxFrames + 1, context);
  walk.from_caller = words > 0;
  walk.frames = trace.frames;
  if (!code_) return;
  if (walk.frames == kUnknownNative || walk.frames == kBrokenNative) walk_from_vm(env, context, walk);
  if (words > 0 && walk_with_made_up_frame(env, context, words, walk)) walk.from_caller = false;
}

// The stack was walked from the caller; is the method that is missing a compiled one, which has not yet made its frame
// or has taken it down? Then what it is can be found by showing the VM where the frame would be. In stubs no method is
// missing. Whether the stack has all its methods.
bool ActivationWalker::walk_with_made_up_frame(JNIEnv* env, void* context, std::uint32_t words, Walk& walk) {
  auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const greg_t pc = registers[REG_RIP], sp = registers[REG_RSP];
  const VmCode::Found code = code_->find(static_cast<Address>(pc));
  if (code.kind == VmCode::Kind::kStub) return true;
  if (code.kind != VmCode::Kind::kCompiled && code.kind != VmCode::Kind::kNative) return false;
  const bool begins = static_cast<Address>(pc) < code.frame_made;
  const Address shown = begins ? code.frame_made : static_cast<Address>(pc);
  const std::uint32_t methods = code_->methods_at(code, shown, false);
  const std::int32_t callers = walk.frames;
  const void* const caller = walk.frame[0].method;
  if (methods == 0 || callers + static_cast<std::int32_t>(methods) > static_cast<std::int32_t>(kMaxFrames))
    return false;
  const Address end = static_cast<Address>(sp) + words * sizeof(Address);
  // Where the caller's frame pointer would be saved; above the top of the stack, if it is not there.
  if (words == 1) store(end - 2 * sizeof(Address), static_cast<Address>(registers[REG_RBP]));
  registers[REG_RIP] = static_cast<greg_t>(shown);
  registers[REG_RSP] = static_cast<greg_t>(end - code.frame_bytes);
  CallTrace trace{env, 0, walk.frame};
  walker_(&trace, kMaxFrames + 1, context);
  registers[REG_RIP] = pc;
  registers[REG_RSP] = sp;
  if (trace.frames == callers + static_cast<std::int32_t>(methods) && walk.frame[methods].method == caller) {
    // What it will call is not called yet.
    const std::uint32_t extra = begins ? methods - 1 : 0;
    walk.frames = trace.frames - static_cast<std::int32_t>(extra);
    std::copy(walk.frame + extra, walk.frame + trace.frames, walk.frame);
    return true;
  }
  trace.frames = 0;
  walk_stack(walker_, trace, kMaxFrames + 1, context);
  walk.frames = trace.frames;
  return false;
}

// The thread left Java code, and HotSpot has not noted the address, though it lies on the stack; it fills that in
// itself whenever it walks such a stack (JavaFrameAnchor::make_walkable), and leaves it there. Or it left in a stub
// whose frame AsyncGetCallTrace does not understand: then it is told the frame of the stub's caller for the moment, if
// the thread is in the VM's code. In this state nobody else walks its stack: the collector and handshakes wait until it
// leaves it.
void ActivationWalker::walk_from_vm(JNIEnv* env, void* context, Walk& walk) {
  const VmLayout& layout = code_->layout();
  const Address thread = thread_of(env), base = load<Address>(thread + layout.thread_stack_base);
  Registers told;
  bool was_interrupted = false;
  if (load<Address>(thread + layout.thread_anchor_sp) == 0) walk.frames = kNoJavaFrame;
  if (!innermost_frame(layout, thread, context, told, was_interrupted, *code_) || was_interrupted) return;
  const VmCode::Found code = code_->find(told.pc);
  if (code.kind == VmCode::Kind::kUnknown) return;
  CallTrace trace{env, 0, walk.frame};
  if (load<Address>(thread + layout.thread_anchor_pc) == 0) {
    store(thread + layout.thread_anchor_pc, told.pc);
    walker_(&trace, kMaxFrames + 1, context);
  }
  const bool is_in_vm = load<std::int32_t>(thread + layout.thread_state) == kInVm;
  if (trace.frames <= 0 && is_in_vm && code.kind == VmCode::Kind::kStub) {
    const Registers noted = told;
    const auto tell = [&](const Registers& registers) {
      store(thread + layout.thread_anchor_pc, registers.pc);
      store(thread + layout.thread_anchor_sp, registers.sp);
      store(thread + layout.thread_anchor_fp, registers.fp);
    };
    if (!leave_stub(*code_, code, base, told)) return;
    tell(told);
    walker_(&trace, kMaxFrames + 1, context);
    tell(noted);
  }
  if (trace.frames > 0) walk.frames = trace.frames;
}

// Only as far as the activation that was found.
bool ActivationWalker::walk_new(JNIEnv* env, void* context, const SeenStacks::Look& look, Walk& walk) {
  if (!look.found || walk.sequence % kMostStopped == 0 || look.depth + look.outside > kMaxFrames) return false;
  CallTrace trace{env, 0, walk.frame};
  const auto depth = static_cast<jint>(look.depth);
  walker_(&trace, depth, context);
  // Unless the VM sees the innermost frames as we do.
  if (trace.frames != depth || walk.frame[look.depth - 1].method != look.root) return false;
  walk.frames = depth;
  walk.outside = look.outside;
  walk.last = look.sequence;
  return true;
}

void ActivationWalker::walk(JNIEnv* env, std::uint32_t desk, void* context, Walk& walk) {
  Registers registers;
  bool was_interrupted = false;
  if (how_ == SampleWalks::kFull) return walk_all(env, context, walk);
  const Address thread = thread_of(env);
  if (!innermost_frame(code_->layout(), thread, context, registers, was_interrupted, *code_)) {
    return walk_all(env, context, walk);
  }
  const Address base = load<Address>(thread + code_->layout().thread_stack_base);
  const SeenStacks::Look look =
      seen_.look(desk, walk.thread, FrameChain(*code_, registers, base, was_interrupted), registers.sp, base);
  std::uint32_t outside = 0;
  if (walk_new(env, context, look, walk)) {
    walk.stop = look.depth;
    outside = look.outside;
    if (how_ == SampleWalks::kCheck) {
      walk.is_checked = true;
      outside = 0;
      walk_all(env, context, walk);
    }
  } else {
    walk_all(env, context, walk);
  }
  walk.is_compared = look.is_known && walk.frames > 0 && static_cast<std::uint32_t>(walk.frames) >= look.unseen;
  walk.unseen = look.found ? look.unseen : static_cast<std::uint32_t>(walk.frames > 0 ? walk.frames : 0);
  if (!walk.is_compared || walk.from_caller || walk.frames > static_cast<std::int32_t>(kMaxFrames)) return;
  walk.is_remembered = seen_.remember(look, desk, walk, outside, registers.sp, base);
}

}  // namespace bursar::agent
