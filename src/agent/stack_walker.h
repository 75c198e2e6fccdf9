// HotSpot's AsyncGetCallTrace: the stack of the thread that a signal interrupted, walked in its handler.
//
// Exported by the VM though in no header of the JDK. It allocates nothing and takes no lock.
#pragma once

#include <jni.h>

#include <cstddef>
#include <cstdint>

#include "agent/walk_queue.h"

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

// Walks; and where the VM cannot, because the innermost frame is just being made or taken down, or is that of a stub,
// walks from its caller. Says how many words lay above that one's frame: 0 if it did not do that, otherwise the last of
// them is the return address. `context` is as it was afterwards.
// Runs in: signal
std::uint32_t walk_stack(StackWalker walker, CallTrace& trace, jint max_frames, void* context);

}  // namespace bursar::agent
