// Gatekeeper: drops gates that are entered so often that they cost more than they are worth.
//
// How often a method is entered is known from what bursts counted. The gatekeeper looks at that now and then, ever more
// seldom, and rewrites the classes of such gates without them.
// Runs in: a thread of its own (drainer.h)
#pragma once

#include <jvmti.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "agent/drainer.h"
#include "agent/java_bridge.h"
#include "agent/session.h"

namespace bursar::agent {

class Gatekeeper {
 public:
  Gatekeeper(jvmtiEnv* jvmti, Session& session, JavaBridge& bridge)
      : jvmti_(jvmti), session_(session), bridge_(bridge), thread_(jvmti) {}

  // Empty, or what failed.
  std::string start(JNIEnv* jni);
  void stop() { thread_.stop(); }

 private:
  void look(JNIEnv* jni);
  std::vector<core::MethodId> find_busy_gates();
  void rewrite_classes_of(JNIEnv* jni, const std::vector<core::MethodId>& methods);
  std::set<std::string> running_classes(JNIEnv* jni);

  jvmtiEnv* jvmti_;
  Session& session_;
  JavaBridge& bridge_;
  Drainer thread_;
  std::chrono::milliseconds pause_{0};
  std::uint64_t looked_at_ns_ = 0;    // of the process's CPU time
  std::vector<std::uint64_t> calls_;  // by method, then
};

}  // namespace bursar::agent
