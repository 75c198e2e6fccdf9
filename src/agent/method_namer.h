// What a jmethodID stands for, and how methods come to have one.
//
// HotSpot 17 to 25 never gives the memory behind a jmethodID back: when a class is unloaded its ids are cleared, and
// the tool interface then says that they are invalid. So an id may be asked about at any time after it was seen on a
// stack; at worst the answer is that it is gone.
#pragma once

#include <jvmti.h>

#include "core/method_table.h"

namespace bursar::agent {

// Without a name if its class was unloaded.
// Runs in: a Java thread
core::Method name_method(jvmtiEnv* jvmti, JNIEnv* jni, jmethodID method);

// A stack walk in a signal handler names only methods that have an id; this gives one to all methods of the class.
void make_method_ids(jvmtiEnv* jvmti, jclass cls);
// The same for all classes that are loaded.
void make_all_method_ids(jvmtiEnv* jvmti, JNIEnv* jni);

}  // namespace bursar::agent
