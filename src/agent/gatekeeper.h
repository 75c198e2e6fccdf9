// Gatekeeper: closes gates that are passed so often that others do, says what a pass of the others counts as, and lets
// optimized code end at those.
//
// It looks now and then at what checks threads passed (check_windows.h), ever more seldom. What is closed stays so:
// the JIT's code that still has the check in it passes it by, or is thrown away if it cannot; what is compiled later
// has none. It also tells bursts how long the program has run. Runs in: a thread of its own (drainer.h)
#pragma once

#include <jvmti.h>

#include <chrono>
#include <string>
#include <unordered_set>

#include "agent/drainer.h"
#include "agent/java_bridge.h"
#include "agent/session.h"

namespace bursar::agent {

class Gatekeeper {
 public:
  Gatekeeper(jvmtiEnv* jvmti, Session& session, JavaBridge& bridge)
      : session_(session), bridge_(bridge), thread_(jvmti) {}

  // Empty, or what failed.
  std::string start(JNIEnv* jni);
  void stop() { thread_.stop(); }

  struct Counts {
    std::size_t closed = 0, leaving = 0;
  };
  // Not while it runs.
  Counts counts() const { return {closed_.size(), leaving_.size()}; }

 private:
  void look(JNIEnv* jni);
  bool close_gates(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows);
  void renew_code(JNIEnv* jni, const std::vector<schemes::Gate>& closed);
  void end_forks(JNIEnv* jni, core::MethodId method);
  void set_costs(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows);
  void let_leave(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows);

  Session& session_;
  JavaBridge& bridge_;
  Drainer thread_;
  std::chrono::milliseconds pause_{0};
  std::uint64_t began_ns_ = 0;
  std::unordered_set<schemes::Gate> closed_, with_cost_, leaving_;
  int looks_ = 0;
};

}  // namespace bursar::agent
