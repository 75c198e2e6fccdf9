// ActivationWalker: walks a thread's stack in its signal handler, as far as it is new.
//
// Runs in: signal, but for prepare()
#pragma once

#include <jni.h>

#include <cstdint>
#include <optional>
#include <string>

#include "agent/agent_options.h"
#include "agent/seen_stacks.h"
#include "agent/stack_walker.h"
#include "agent/vm_code.h"
#include "agent/walk_queue.h"

namespace bursar::agent {

class ActivationWalker {
 public:
  // Empty, or why stacks cannot be walked. May be called again.
  // Runs in: any
  std::string prepare(JavaVM* vm);
  // Reads what the VM says about its structures; without it all walks are full.
  // `env_offset`: from the address of a thread in the VM to that of its JNI environment.
  // Runs in: a Java thread
  void begin(JavaVM* vm, int release, std::int64_t env_offset, SampleWalks how);

  // Of the thread whose environment `env` is, which has this desk.
  void walk(JNIEnv* env, std::uint32_t desk, void* context, Walk& walk);

 private:
  void walk_all(JNIEnv* env, void* context, Walk& walk);
  bool walk_with_made_up_frame(JNIEnv* env, void* context, std::uint32_t words, Walk& walk);
  void walk_from_vm(JNIEnv* env, void* context, Walk& walk);
  bool walk_new(JNIEnv* env, void* context, const SeenStacks::Look& look, Walk& walk);

  StackWalker walker_ = nullptr;
  SampleWalks how_ = SampleWalks::kFull;
  Address thread_of(JNIEnv* env) const { return reinterpret_cast<Address>(env) - static_cast<Address>(env_offset_); }

  std::int64_t env_offset_ = 0;
  std::optional<VmCode> code_;
  SeenStacks seen_;
};

}  // namespace bursar::agent
