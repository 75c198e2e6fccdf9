// Gatekeeper: chooses the gates while the program runs.
//
// A thread of the agent's own. At first it looks at the stacks of running threads, and makes gates of methods that were
// entered lately; then it lets each new gate be scouted once, and makes gates of what its calls lead to where a burst
// would be too long. Making a gate is rewriting its class.
// Runs in: its own thread, which the VM does not show to programs
#pragma once

#include <jvmti.h>

#include <deque>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "agent/gates.h"
#include "agent/java_bridge.h"
#include "agent/session.h"

namespace bursar::agent {

class Gatekeeper {
 public:
  Gatekeeper(jvmtiEnv* jvmti, Session& session, JavaBridge& bridge)
      : jvmti_(jvmti), session_(session), bridge_(bridge) {}

  // Empty, or what failed.
  std::string start(JNIEnv* jni);

 private:
  static void JNICALL run(jvmtiEnv* jvmti, JNIEnv* jni, void* self);
  void round(JNIEnv* jni);
  void look_at_stacks(JNIEnv* jni);
  void take_scouts();
  void add(core::MethodId method);
  void drop_small_gates();
  void open_gates(JNIEnv* jni);
  void send_scout(JNIEnv* jni);

  jvmtiEnv* jvmti_;
  Session& session_;
  JavaBridge& bridge_;
  std::unordered_map<std::string, Stack> stacks_;  // of the threads that ran when last looked at, by name
  std::vector<core::MethodId> new_gates_;
  std::unordered_set<core::MethodId> dropped_;
  std::vector<core::MethodId> closed_gates_;
  int rounds_ = 0;
  std::deque<core::MethodId> to_scout_;
  int scout_rounds_ = 0;  // since the last one was sent
  core::MethodId sent_ = core::kNoMethod;
};

}  // namespace bursar::agent
