// Gatekeeper: closes gates that are passed so often that others do, and says what a pass of the others counts as.
//
// It looks now and then at what checks threads passed (check_windows.h), ever more seldom. What is closed stays so:
// the JIT's code that still has the check in it passes it by, what is compiled later has none. It also tells bursts how
// long the program has run. Runs in: a thread of its own (drainer.h)
#pragma once

#include <jvmti.h>

#include <chrono>
#include <string>
#include <unordered_map>
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

  // So many gates. Not while it runs.
  std::size_t closed() const { return closed_.size(); }

 private:
  void look(JNIEnv* jni);
  void close_gates(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows);
  void measure_dilation();
  void set_costs(JNIEnv* jni, const std::vector<schemes::CheckWindow>& windows);

  Session& session_;
  JavaBridge& bridge_;
  Drainer thread_;
  std::chrono::milliseconds pause_{0};
  std::uint64_t began_ns_ = 0;
  std::unordered_set<schemes::Gate> closed_;
  double dilation_ = 20;  // of time, in bursts
  std::uint64_t seen_cpu_ns_ = 0, seen_checks_ = 0;
  std::unordered_map<schemes::Gate, std::int32_t> costs_;  // where it is known
};

}  // namespace bursar::agent
