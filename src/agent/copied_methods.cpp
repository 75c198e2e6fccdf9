#include "agent/copied_methods.h"

#include <algorithm>
#include <array>
#include <utility>

#include "agent/added_members.h"
#include "classfile/method_copies.h"

namespace bursar::agent {
namespace {

using Signature = std::pair<std::string_view, std::string_view>;

constexpr std::array<Signature, 11> kMethodsOfObject = {{{"hashCode", "()I"},
                                                         {"equals", "(Ljava/lang/Object;)Z"},
                                                         {"toString", "()Ljava/lang/String;"},
                                                         {"clone", "()Ljava/lang/Object;"},
                                                         {"finalize", "()V"},
                                                         {"getClass", "()Ljava/lang/Class;"},
                                                         {"notify", "()V"},
                                                         {"notifyAll", "()V"},
                                                         {"wait", "()V"},
                                                         {"wait", "(J)V"},
                                                         {"wait", "(JI)V"}}};

// The VM looks for the frames of these, or changes the thread within them.
constexpr std::string_view kPrivileged = "java/security/AccessController";
constexpr std::array<std::string_view, 3> kKnownToVm = {"jdk/internal/vm/Continuation", "java/lang/VirtualThread",
                                                        kPrivileged};

}  // namespace

bool has_copy(std::string_view name, std::string_view descriptor) {
  if (name == "<clinit>" || !classfile::can_have_copy(descriptor)) return false;
  return std::find(kMethodsOfObject.begin(), kMethodsOfObject.end(), Signature(name, descriptor)) ==
         kMethodsOfObject.end();
}

bool has_inner_body(std::string_view class_name, std::string_view name, std::string_view descriptor) {
  if (is_ours(class_name) || name == "finalize") return false;
  // What programs do with privileges they do in these.
  if (class_name == kPrivileged && (name.starts_with("doPrivileged") || name == "executePrivileged")) return true;
  return !name.starts_with('<') && !has_copy(name, descriptor);
}

bool names_copy(std::string_view class_name, std::string_view name, std::string_view descriptor) {
  if (class_name.starts_with('[') || class_name == kObjectClass) return false;
  if (std::find(kKnownToVm.begin(), kKnownToVm.end(), class_name) != kKnownToVm.end()) return false;
  // Natives that count frames: the one of a copy that calls them would be one too many.
  if (name == "getCallerClass" || name == "getClassContext") return false;
  return has_copy(name, descriptor);
}

}  // namespace bursar::agent
