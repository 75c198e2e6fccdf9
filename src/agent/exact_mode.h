// ExactMode: the side towards the VM of the modes that rewrite every class: exact, trace (docs/exact.md) and burst
// (docs/burst.md).
#pragma once

#include "agent/gatekeeper.h"
#include "agent/java_bridge.h"
#include "agent/kept_from_c2.h"
#include "agent/mode.h"
#include "agent/session.h"

namespace bursar::agent {

class ExactMode : public Mode {
 public:
  ExactMode(jvmtiEnv* jvmti, AgentOptions options)
      : jvmti_(jvmti),
        session_(std::move(options)),
        bridge_(jvmti),
        gatekeeper_(jvmti, session_, bridge_),
        copies_(jvmti) {}

  std::string load(const AgentOptions& options) override;
  void attached(JNIEnv* jni, const AgentOptions& options) override;

  // What the VM calls.
  void class_file_load_hook(jint length, const unsigned char* bytes, jint* new_length, unsigned char** new_bytes);
  void vm_start(JNIEnv* jni);
  void vm_init(JNIEnv* jni);
  void class_prepared(jclass cls) { copies_.class_prepared(cls); }
  void native_bound(JNIEnv* jni, jmethodID method, void* address, void** new_address);
  void thread_end(JNIEnv* jni, jthread thread);
  void vm_death(JNIEnv* jni);

 private:
  void give_up(const std::string& why);
  void tell_trace(const Session::SavedTrace& saved) const;

  jvmtiEnv* jvmti_;
  Session session_;
  JavaBridge bridge_;
  Gatekeeper gatekeeper_;
  KeptFromC2 copies_;
};

}  // namespace bursar::agent
