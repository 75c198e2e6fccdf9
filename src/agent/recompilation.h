// Recompilation: the VM is made to throw away what it compiled of some classes, so that it compiles them anew, by the
// compiler directives that it was given meanwhile.
//
// The classes are retransformed with nothing changed: HotSpot replaces their methods by the same ones and drops all
// code that holds them. A tool environment of its own does it and is gone afterwards. It asks for no event.
#pragma once

#include <jvmti.h>

#include "agent/agent_options.h"

namespace bursar::agent {

// The loaded classes that `options.include` names. How many it were, or what failed, is told in the status file.
// Runs in: Agent_OnAttach, one at a time
void recompile(JavaVM* vm, JNIEnv* jni, const AgentOptions& options);

}  // namespace bursar::agent
