// Mode: one way of recording inside the JVM, behind the agent's door.
//
// A mode asks the VM for its events itself, and writes its profile when the VM ends. There is one in a process, made
// when the agent is loaded and never freed: events, probes and signals may come until the process ends.
#pragma once

#include <jvmti.h>

#include <string>

#include "agent/agent_options.h"

namespace bursar::agent {

class Mode {
 public:
  Mode() = default;
  virtual ~Mode() = default;
  Mode(const Mode&) = delete;
  Mode& operator=(const Mode&) = delete;

  // Records from the start of the VM. Empty, or why it cannot.
  // Runs in: Agent_OnLoad
  virtual std::string load(const AgentOptions& options) = 0;

  // What `bursar attach` asks of a running VM. How it went is told in the options' status file.
  // Runs in: Agent_OnAttach, one at a time
  virtual void attached(JNIEnv* jni, const AgentOptions& options) = 0;
};

}  // namespace bursar::agent
