// JavaBridge: the Java side of the agent: the class it defines in the VM, its natives, the fields it reads.
//
// define() comes first, before any bytecode runs; wake() when the VM is initialised: from then on probes count.
// Nothing here calls Java code that carries probes once they are awake.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/added_members.h"
#include "agent/session.h"
#include "agent/walked_stack.h"

namespace bursar::agent {

class JavaBridge {
 public:
  explicit JavaBridge(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // Defines BursarProbe in java.lang and binds its natives to the session. Empty, or what failed.
  // Runs in: the VM's start
  std::string define(JNIEnv* jni, Session& session);
  // Runs in: the VM's initialisation
  std::string wake(JNIEnv* jni);

  // If the session doubts that what call sites rely on counts itself, they look for themselves from now on.
  // Empty, or what failed.
  // Runs in: the thread that loads a class, before anything of it can be called
  std::string pass_on_doubt();

  // The tree of a thread; null if it never ran a method.
  core::ContextTree* tree_of(JNIEnv* jni, jthread thread) const;
  // Mode trace: where the thread's next note goes; 0 if it makes none.
  std::uint64_t log_of(JNIEnv* jni, jthread thread) const;
  // Calls that the thread still makes are not counted.
  void detach_tree(JNIEnv* jni, jthread thread) const;
  std::string name_of(JNIEnv* jni, jthread thread) const;

  // More members that reflection is not to show. Before probes are awake.
  void hide(jfieldID field) { more_fields_.push_back(field); }
  void hide(jmethodID method) { more_methods_.push_back(method); }
  // Of a java.lang.reflect.Field or Method: the agent added it.
  bool is_added_field(JNIEnv* jni, jobject field) const;
  bool is_added_method(JNIEnv* jni, jobject method) const;
  bool is_virtual(JNIEnv* jni, jthread thread) const;
  // Resolves and initialises the class of the method that a call site is about to call. May leave an exception.
  // Runs in: app thread, in a probe of the caller
  void resolve_callee(JNIEnv* jni, const core::CallSite& site) const;
  std::string internal_name(jclass cls) const;
  LinkTarget link_target(JNIEnv* jni, jobject member) const;
  // A gate that is not passed by: says what is counted into, the node of the frame; 0 if it does not lie in a burst.
  // `known`: its node in some tree, or 0.
  core::NodeAddress check(JNIEnv* jni, jthread thread, core::NodeAddress known, GateNumber gate, std::int32_t cost);
  // Nothing is decided there any more.
  // Runs in: a Java thread
  void close(JNIEnv* jni, GateNumber gate);
  // A pass of it counts as that much, from now on.
  // Runs in: a Java thread
  void set_cost(JNIEnv* jni, GateNumber gate, std::int32_t cost);
  // An addition overflows: whether only because a gate ended optimized code by it.
  // Runs in: app thread, in BursarProbe.leftCode
  bool left_code();
  // How often that was so.
  std::uint64_t times_left() const { return times_left_.load(std::memory_order_relaxed); }

 private:
  struct KnownFrame {
    core::MethodId method = core::kNoMethod;
    bool copy = false;
  };
  KnownFrame known_frame(JNIEnv* jni, jmethodID id);
  // The stack of the current thread: frames of methods that are known.
  Stack& stack(JNIEnv* jni, const core::ContextTree& tree);
  std::optional<WalkedStack::Place> left_java(JNIEnv* jni) const;
  std::string find_unnamed_module(JNIEnv* jni) const;
  std::string make_gate_tables(JNIEnv* jni);
  void initialise_links(JNIEnv* jni);
  void tell_jit_of_forks(JNIEnv* jni);
  // What the VM says of its own structures.
  void look_into_vm(JNIEnv* jni);

  jvmtiEnv* jvmti_;
  // Of classes that live as long as the VM.
  jclass probe_ = nullptr, trust_ = nullptr, fork_ = nullptr;
  jclass thread_ = nullptr, object_ = nullptr, member_ = nullptr, unsafe_ = nullptr;
  jclass virtual_thread_ = nullptr;  // null where there are none
  std::array<jfieldID, kAddedFields.size()> added_fields_{};
  std::array<jmethodID, kProbeMethods.size()> added_methods_{};
  std::vector<jfieldID> more_fields_;
  std::vector<jmethodID> more_methods_;
  jfieldID slot_field_ = nullptr;
  jfieldID tree_field_ = nullptr;
  jfieldID log_field_ = nullptr;
  jfieldID countdown_field_ = nullptr, left_field_ = nullptr, into_field_ = nullptr;
  jobjectArray closed_ = nullptr;  // by gate, as is the next
  jintArray costs_ = nullptr;
  jmethodID way_out_ = nullptr;  // the method in which optimized code ends at gates
  std::atomic<std::uint64_t> times_left_ = 0;
  jclass constructor_ = nullptr, copy_mark_ = nullptr;
  jfieldID constructor_parameters_ = nullptr, method_parameters_ = nullptr, method_class_ = nullptr;
  jfieldID member_class_ = nullptr;
  jfieldID member_name_ = nullptr;
  std::atomic<bool> may_redefine_ = false;  // once the VM is initialised
  std::recursive_mutex doubt_lock_;         // redefining a class loads it once more
  bool doubt_passed_on_ = false;
  std::shared_mutex frames_lock_;
  std::unordered_map<jmethodID, KnownFrame> frames_;
  std::optional<VmCode> code_;  // nothing if the VM does not say enough about it
  std::int64_t env_offset_ = 0;
};

}  // namespace bursar::agent
