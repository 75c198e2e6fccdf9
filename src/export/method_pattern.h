// MethodPattern: a method as HotSpot's compiler directives name it: class/name(descriptor).
//
// HotSpot reads no escapes, and does not start over a pattern that it does not like, so a method is named only if every
// character is known to pass; and generated classes have other names in every run.
//
// A pattern is exact, but for one thing: a method name before a descriptor must not be a word of
// -XX:CompileCommand, in whatever case (print, log, help, option …). Such a name lacks its first letter:
// java/io/PrintWriter.*rint(I)V. Checked on JVMs by tests/jvm/advise.
#pragma once

#include <optional>
#include <string>

#include "profile/profile.h"

namespace bursar::exports {

// Nothing if HotSpot could not be told of the method.
std::optional<std::string> method_pattern(const profile::Method& method);

}  // namespace bursar::exports
