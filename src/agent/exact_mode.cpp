#include "agent/exact_mode.h"

#include <cstring>

#include "agent/null_messages.h"
#include "agent/status_file.h"
#include "agent/thread_dumps.h"
#include "agent/vm_facts.h"

namespace bursar::agent {
namespace {

// The VM's events have no other way to find it; set once, before the first of them.
ExactMode* g_mode = nullptr;

// Runs in: app thread
void JNICALL class_file_load_hook(jvmtiEnv*, JNIEnv*, jclass, jobject, const char*, jobject, jint length,
                                  const unsigned char* bytes, jint* new_length, unsigned char** new_bytes) {
  g_mode->class_file_load_hook(length, bytes, new_length, new_bytes);
}

void JNICALL vm_start(jvmtiEnv*, JNIEnv* jni) {
  g_mode->vm_start(jni);
}

void JNICALL vm_init(jvmtiEnv*, JNIEnv* jni, jthread) {
  g_mode->vm_init(jni);
}

// Runs in: app thread
void JNICALL class_prepared(jvmtiEnv*, JNIEnv*, jthread, jclass cls) {
  g_mode->class_prepared(cls);
}

// Runs in: app thread
void JNICALL native_bound(jvmtiEnv*, JNIEnv* jni, jthread, jmethodID method, void* address, void** new_address) {
  g_mode->native_bound(jni, method, address, new_address);
}

// Runs in: app thread, the one that ends
void JNICALL thread_end(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  g_mode->thread_end(jni, thread);
}

void JNICALL vm_death(jvmtiEnv*, JNIEnv* jni) {
  g_mode->vm_death(jni);
}

}  // namespace

std::string ExactMode::load(const AgentOptions&) {
  if (core::CommonNodes::instance().mute == 0) return "no memory";
  g_mode = this;
  // From then on additions that overflow often throw in compiled code (JDK-8346989).
  constexpr int kFirstThatThrows = 24;
  if (release_of_vm(jvmti_) < kFirstThatThrows) session_.gates().let_code_end();
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_generate_early_class_hook_events = 1;
  capabilities.can_generate_early_vmstart = 1;
  capabilities.can_generate_native_method_bind_events = 1;
  // Called behind agents that cannot retransform: probes go into what those made of a class.
  capabilities.can_retransform_classes = 1;
  if (jvmti_->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return "this JVM does not let an agent rewrite classes from the start";
  }
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = agent::class_file_load_hook;
  callbacks.VMStart = agent::vm_start;
  callbacks.VMInit = agent::vm_init;
  callbacks.ClassPrepare = agent::class_prepared;
  callbacks.NativeMethodBind = agent::native_bound;
  callbacks.ThreadEnd = agent::thread_end;
  callbacks.VMDeath = agent::vm_death;
  if (jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return "callbacks were refused";
  for (const jvmtiEvent event : {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT,
                                 JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH}) {
    if (jvmti_->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return "an event was refused";
    }
  }
  return "";
}

void ExactMode::attached(JNIEnv*, const AgentOptions& options) {
  if (options.action == AttachAction::kStatus) return tell(options.status, "recording", session_.options().mode);
  tell(
      options.status, "error",
      "mode " + session_.options().mode + " records this JVM from its start, and writes its profile when the JVM ends");
}

void ExactMode::give_up(const std::string& why) {
  tell(session_.options().status, "error", why + "; the program runs without being profiled");
  for (const jvmtiEvent event : {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_CLASS_PREPARE,
                                 JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH}) {
    jvmti_->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
}

void ExactMode::class_file_load_hook(jint length, const unsigned char* bytes, jint* new_length,
                                     unsigned char** new_bytes) {
  const std::vector<std::uint8_t> rewritten =
      session_.rewriter().rewrite({bytes, static_cast<std::size_t>(length)}, false);
  if (const std::string problem = bridge_.pass_on_doubt(); !problem.empty()) {
    tell(session_.options().status, "error", problem);
  }
  if (rewritten.empty()) return;
  unsigned char* copy = nullptr;
  if (jvmti_->Allocate(static_cast<jlong>(rewritten.size()), &copy) != JVMTI_ERROR_NONE) return;
  std::memcpy(copy, rewritten.data(), rewritten.size());
  *new_length = static_cast<jint>(rewritten.size());
  *new_bytes = copy;
}

void ExactMode::vm_start(JNIEnv* jni) {
  if (const std::string problem = bridge_.define(jni, session_); !problem.empty()) give_up(problem);
}

void ExactMode::vm_init(JNIEnv* jni) {
  if (session_.traced()) {
    const std::string problem = session_.begin_trace({{"jvm", name_of_vm(jvmti_)}});
    if (!problem.empty()) return give_up(problem);
  }
  std::string problem = bridge_.wake(jni);
  if (problem.empty() && session_.in_bursts() && session_.options().gates.empty()) problem = gatekeeper_.start(jni);
  if (!problem.empty()) return give_up(problem);
  if (session_.in_bursts()) copies_.start(jni);
}

void ExactMode::native_bound(JNIEnv* jni, jmethodID method, void* address, void** new_address) {
  jclass cls = nullptr;
  char* name = nullptr;
  if (jvmti_->GetMethodDeclaringClass(method, &cls) != JVMTI_ERROR_NONE) return;
  if (jvmti_->GetMethodName(method, &name, nullptr, nullptr) == JVMTI_ERROR_NONE) {
    const std::string class_name = bridge_.internal_name(cls);
    *new_address = replacement_of_native(class_name, name, address);
    if (session_.in_bursts()) *new_address = replacement_of_null_message(class_name, name, *new_address);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(name));
  }
  jni->DeleteLocalRef(cls);
}

void ExactMode::thread_end(JNIEnv* jni, jthread thread) {
  core::ContextTree* const tree = bridge_.tree_of(jni, thread);
  if (tree == nullptr || bridge_.is_virtual(jni, thread)) return;
  const std::string name = bridge_.name_of(jni, thread);
  const std::uint64_t log = bridge_.log_of(jni, thread);
  bridge_.detach_tree(jni, thread);
  session_.close_tree(tree, name, log);
}

void ExactMode::vm_death(JNIEnv* jni) {
  gatekeeper_.stop();
  Session::ThreadNames names;
  std::vector<Tracer::OpenLog> logs;
  jint count = 0;
  jthread* threads = nullptr;
  if (jvmti_->GetAllThreads(&count, &threads) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < count; ++i) {
      if (auto* tree = bridge_.tree_of(jni, threads[i])) names[tree] = bridge_.name_of(jni, threads[i]);
      const std::uint64_t log = bridge_.log_of(jni, threads[i]);
      if (log != 0) logs.push_back({log, bridge_.name_of(jni, threads[i])});
    }
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
  }
  session_.add_counter("gates_closed", gatekeeper_.closed());
  session_.add_counter("times_code_left", bridge_.times_left());
  session_.add_counter("copies_kept_from_c2", copies_.copies());
  if (session_.traced()) return tell_trace(session_.end_trace(logs));
  tell_outcome(session_.options().status, session_.save(names, {{"jvm", name_of_vm(jvmti_)}}), "calls");
}

void ExactMode::tell_trace(const Session::SavedTrace& saved) const {
  const std::string& status = session_.options().status;
  if (!saved.error.empty()) return tell(status, "error", saved.error);
  tell(status, "events", std::to_string(saved.events));
  for (const std::string& note : saved.notes) tell(status, "note", note);
  tell(status, "saved", saved.path);
}

}  // namespace bursar::agent
