// PathBridge: the Java side of the path modes: the class BursarPaths in the VM, its native, the field of threads.
//
// define() comes first, before any bytecode runs; wake() when the VM is initialised: from then on paths count.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <cstdint>
#include <string>

#include "agent/java_bridge.h"
#include "agent/path_counting.h"

namespace bursar::agent {

class PathBridge {
 public:
  explicit PathBridge(JavaBridge& bridge) : bridge_(bridge) {}

  // Empty, or what failed.
  // Runs in: the VM's start
  std::string define(JNIEnv* jni);
  struct Addresses {
    std::uint64_t shared;    // what threads without a place of their own use
    std::uint64_t flag = 0;  // not 0 while samples are taken
  };
  // `counting`: in mode exact-paths, of which threads get their counters; may be null.
  // Runs in: the VM's initialisation
  std::string wake(JNIEnv* jni, const Addresses& addresses, PathCounting* counting);

  // What the thread has in its field.
  std::int64_t place_of(JNIEnv* jni, jthread thread) const;
  void set_place(JNIEnv* jni, jthread thread, std::int64_t place) const;

 private:
  JavaBridge& bridge_;
  jclass paths_ = nullptr;
  jfieldID field_ = nullptr;
};

}  // namespace bursar::agent
