// PathMode: modes exact-paths and paths (docs/paths.md): the side towards the VM.
//
// The Session and the JavaBridge are mode exact's, asleep: of them only what keeps programs from seeing the agent is
// used.
#pragma once

#include <atomic>

#include "agent/java_bridge.h"
#include "agent/mode.h"
#include "agent/path_bridge.h"
#include "agent/path_counting.h"
#include "agent/path_renumbering.h"
#include "agent/path_rewriter.h"
#include "agent/path_sampler.h"
#include "agent/session.h"

namespace bursar::agent {

class PathMode : public Mode {
 public:
  PathMode(jvmtiEnv* jvmti, const AgentOptions& options)
      : jvmti_(jvmti),
        options_(options),
        filter_(options.include, options.exclude),
        rewriter_(registry_, filter_, samples() ? kSamplePath : kCountPath),
        counting_(registry_),
        sampler_(registry_, options),
        renumbering_(jvmti, registry_, sampler_, rewriter_),
        session_(options),
        bridge_(jvmti),
        paths_(bridge_) {}

  std::string load(const AgentOptions& options) override;
  void attached(JNIEnv* jni, const AgentOptions& options) override;

  // What the VM calls.
  void class_file_load_hook(jint length, const unsigned char* bytes, jint* new_length, unsigned char** new_bytes);
  void vm_start(JNIEnv* jni);
  void vm_init(JNIEnv* jni);
  void native_bound(JNIEnv* jni, jmethodID method, void* address, void** new_address);
  void thread_start(JNIEnv* jni, jthread thread);
  void thread_end(JNIEnv* jni, jthread thread);
  void vm_death(JNIEnv* jni);

 private:
  bool samples() const { return options_.mode == kPathsMode; }
  std::string start_sampling(JNIEnv* jni);
  void give_up(const std::string& why);
  void add_facts(profile::ProfileData& data) const;

  jvmtiEnv* jvmti_;
  AgentOptions options_;
  Filter filter_;
  PathRegistry registry_;
  PathRewriter rewriter_;
  PathCounting counting_;  // in mode exact-paths
  PathSampler sampler_;    // in mode paths
  PathRenumbering renumbering_;
  Session session_;
  JavaBridge bridge_;
  PathBridge paths_;
  std::atomic<bool> awake_ = false;
};

}  // namespace bursar::agent
