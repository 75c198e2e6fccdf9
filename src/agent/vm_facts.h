// What the VM says about itself and its threads.
#pragma once

#include <jvmti.h>

#include <string>

namespace bursar::agent {

// Empty, or why this VM is not one we know.
std::string unfit(jvmtiEnv* jvmti);
// 17, 21 …
int release_of_vm(jvmtiEnv* jvmti);
// "OpenJDK 64-Bit Server VM 17.0.9+9"
std::string name_of_vm(jvmtiEnv* jvmti);
std::string name_of_thread(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread);

}  // namespace bursar::agent
