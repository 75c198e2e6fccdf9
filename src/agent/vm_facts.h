// What the VM says about itself and its threads.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <string>

namespace bursar::agent {

// Empty, or why this VM is not one we know.
std::string unfit(jvmtiEnv* jvmti);
// 17, 21 …
int release_of_vm(jvmtiEnv* jvmti);
// "OpenJDK 64-Bit Server VM 17.0.9+9"
std::string name_of_vm(jvmtiEnv* jvmti);
// From the address of a thread in the VM (its JavaThread) to that of its JNI environment; 0 if that is not known.
std::int64_t env_offset(jvmtiEnv* jvmti, JNIEnv* jni);
std::string name_of_thread(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread);

}  // namespace bursar::agent
