// A method as one frame of text, as other tools write it, and back.
//
// A method is written package.Class.method; one without a class is just its name, one without any name [unknown], the
// overflow context [overflow]. Control characters and ';' are written \x0a, \x3b …, so that a frame never ends a line
// or itself. A backslash stays as it is unless it would then read as such an escape: it is written \x5c. So unescape()
// is the exact inverse of escape(), and text of other tools that has backslashes comes back unchanged.
#pragma once

#include <string>
#include <string_view>

#include "profile/profile.h"

namespace bursar::exports {

std::string escape(std::string_view name);
std::string unescape(std::string_view text);

// Not escaped. The descriptor is left out.
std::string frame_name(const profile::Method& method);

// The other way round, from a frame that is already unescaped:
//   suffixes that other tools add for the kind of frame are dropped: _[j] _[i] _[k] _[0] _[1]
//   [overflow] is the overflow context, any other frame in '[' is a pseudo method
//   a path (/…), a C++ name (with :: or parentheses) and a name without an inner dot are native functions without class
//   anything else is split at its last dot; java/lang/String.length is taken as java.lang.String.length, and classes
//   that the JVM made up lose their numbers and addresses (profile/class_name.h)
// parse_frame(frame_name(m)) == m for every m that parse_frame returns.
profile::Method parse_frame(std::string frame);

}  // namespace bursar::exports
