// The name of a class as two runs agree on it.
//
// The JVM numbers or addresses the classes it makes up at run time: lambdas, hidden classes, proxies, reflection
// accessors. Those numbers depend on the order in which things happened, so they are left out:
//   a.B$$Lambda$14/0x0000000800c03000, a.B$$Lambda/0x…, a.B$$Lambda$14.123  →  a.B$$Lambda
//   java.lang.invoke.LambdaForm$MH/0x…                                      →  java.lang.invoke.LambdaForm$MH
//   jdk.proxy2.$Proxy17, com.sun.proxy.$Proxy3                              →  jdk.proxy.$Proxy, com.sun.proxy.$Proxy
//   jdk.internal.reflect.GeneratedMethodAccessor9                           →
//   jdk.internal.reflect.GeneratedMethodAccessor
// Everything else stays. Idempotent.
// Runs in: any thread that may allocate
#pragma once

#include <string>
#include <string_view>

namespace bursar::profile {

// `name` is the binary name with dots.
std::string normalised_class_name(std::string_view name);

// A class whose name lacks what the JVM called it in a run, as far as a normalised name shows: a hidden class that a
// program makes may be called as it likes.
bool is_generated_class(std::string_view normalised);

}  // namespace bursar::profile
