// Finding classes as the VM does, by functions that it exports for the class library's own native code.
//
// JNI's FindClass initialises the class and, when no Java code called us, asks the application's class loader: both
// leave traces.
#pragma once

#include <jni.h>

namespace bursar::agent {

// Of the boot loader, without running any Java code. A global reference; null if there is no such class.
jclass find_boot_class(JNIEnv* jni, const char* internal_name);

// As a class of `loader` finds it when it calls one of its methods. May run Java code, and leave an exception pending.
void resolve_class(JNIEnv* jni, const char* internal_name, bool initialise, jobject loader, jclass caller);

}  // namespace bursar::agent
