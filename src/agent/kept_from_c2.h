// KeptFromC2: copies of methods are compiled by HotSpot's first compiler (C1) only.
//
// They run in bursts, a small part of the time, and are large with all their probes: C2 never earns back what it takes
// to compile one. The VM has a bit for that in each method, for methods that C2 has given up on. It is set where the VM
// says where it is; where it does not (from JDK 21 on), or where there is no C1, copies are compiled like any other
// method. Owner: ExactMode.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>

namespace bursar::agent {

class KeptFromC2 {
 public:
  explicit KeptFromC2(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // The classes that are loaded, and asks the VM to be told of all others. Once.
  // Runs in: VMInit
  void start(JNIEnv* jni);
  // Runs in: app thread
  void class_prepared(jclass cls);
  std::uint64_t copies() const { return copies_; }

 private:
  void keep(jmethodID method);

  jvmtiEnv* jvmti_;
  std::uint64_t flags_ = 0;  // where they are in a method; 0: the VM does not say
  std::uint32_t never_ = 0;  // the bits to set
  std::atomic<std::uint64_t> copies_{0};
};

}  // namespace bursar::agent
