#include "agent/activation_walker.h"

namespace bursar::agent {
namespace {

// Every so often a stack is walked to its end, whatever was seen: no mistake lasts.
constexpr std::uint64_t kMostStopped = 100;

}  // namespace

std::string ActivationWalker::prepare(JavaVM* vm) {
  walker_ = find_stack_walker(vm);
  return walker_ != nullptr ? "" : "this JVM has no AsyncGetCallTrace, by which stacks are walked";
}

void ActivationWalker::begin(JavaVM* vm, int release, std::int64_t env_offset, SampleWalks how) {
  how_ = SampleWalks::kFull;
  env_offset_ = env_offset;
  if (how == SampleWalks::kFull || env_offset == 0 || !seen_.map()) return;
  if (!code_) {
    if (const std::optional<VmLayout> layout = read_vm_layout(vm, release)) code_.emplace(*layout);
  }
  if (code_) how_ = how;
}

void ActivationWalker::walk_all(JNIEnv* env, void* context, Walk& walk) {
  CallTrace trace{env, 0, walk.frame};
  walk.from_caller = walk_stack(walker_, trace, kMaxFrames + 1, context);
  walk.frames = trace.frames;
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
  const Address thread = reinterpret_cast<Address>(env) - static_cast<Address>(env_offset_);
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
