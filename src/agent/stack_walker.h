// HotSpot's AsyncGetCallTrace: the stack of the thread that a signal interrupted, walked in its handler.
//
// Exported by the VM though in no header of the JDK. It allocates nothing and takes no lock.
#pragma once

#include <jni.h>

#include <cstddef>

#include "agent/stack_slots.h"

namespace bursar::agent {

struct CallTrace {
  JNIEnv* env;  // of the calling thread
  jint frames;  // how many; 0 or less: why there are none
  RawFrame* first;
};
static_assert(offsetof(CallTrace, first) == 16);

using StackWalker = void (*)(CallTrace* trace, jint max_frames, void* context);

// Null if this VM has none.
StackWalker find_stack_walker(JavaVM* vm);

}  // namespace bursar::agent
