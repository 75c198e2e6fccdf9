// CodeRenewal: throws away what the JIT made of methods with gates, so that it compiles them anew.
//
// The JIT takes the tables of gates for constant (BursarProbe.java). Where one of their entries changes that it may
// have relied on, its code must go. Every method with gates has a call site of java.lang.invoke on whose target that
// code depends (BursarFork.java); the VM throws code away when the target changes, as it does for everybody's call
// sites. No such call site is ever called, and their targets are empty. Owner: JavaBridge. Runs in: one Java thread
#pragma once

#include <jni.h>

#include <array>
#include <string>

#include "agent/gates.h"

namespace bursar::agent {

class CodeRenewal {
 public:
  // Makes the table of call sites in BursarFork. Empty, or what failed.
  std::string prepare(JNIEnv* jni, jclass fork);
  // Code of methods with gates that is compiled after this can be renewed.
  void watch(JNIEnv* jni, const Gates& gates);
  // False if the VM is not as we know it.
  bool can_renew() const { return set_target_ != nullptr; }
  // Of the gate's method, and wherever that is inlined.
  void renew(JNIEnv* jni, GateNumber gate);

 private:
  jobject make_call_site(JNIEnv* jni) const;

  jobjectArray codes_ = nullptr;  // by gate
  GateNumber watched_ = 0;        // so many of them have one
  jclass call_site_ = nullptr, context_ = nullptr, natives_ = nullptr;
  jfieldID target_field_ = nullptr;
  jfieldID context_field_ = nullptr;  // null where the VM keeps it to itself
  jmethodID set_target_ = nullptr;
  std::array<jobject, 2> targets_{};
};

}  // namespace bursar::agent
