#include "agent/interceptions.h"

#include <algorithm>

#include "agent/added_members.h"

namespace bursar::agent {
namespace {

void call(classfile::Snippet& snippet, const AddedMember& method) {
  snippet.invoke_static(kObjectClass, method.name, method.descriptor);
}

// And its constructors pass by here.
bool shows_constructors(const classfile::MethodView& method) {
  return method.class_name == "java/lang/Class" && method.name == "copyConstructors";
}

}  // namespace

bool takes_hidden_class(const classfile::MethodView& method) {
  return method.name == "defineClass" &&
         method.descriptor ==
             "(Ljava/lang/ClassLoader;Ljava/lang/Class;Ljava/lang/String;[BLjava/security/"
             "ProtectionDomain;ZILjava/lang/Object;)Ljava/lang/Class;" &&
         std::any_of(method.file.interfaces.begin(), method.file.interfaces.end(), [&](std::uint16_t index) {
           return method.file.pool.class_name(index) == "jdk/internal/access/JavaLangAccess";
         });
}

bool shows_members(const classfile::MethodView& method) {
  return method.class_name == "jdk/internal/reflect/Reflection" &&
         (method.name == "filterFields" || method.name == "filterMethods");
}

bool does_more(const classfile::MethodView& method) {
  return takes_hidden_class(method) || shows_members(method) || shows_constructors(method);
}

bool hears_of_rewriting(const classfile::MethodView& method) {
  return method.class_name == "jdk/internal/module/Modules" && method.name == "transformedByAgent";
}

bool links_for_vm(const classfile::MethodView& method) {
  return method.class_name == "java/lang/invoke/MethodHandleNatives" &&
         (method.name == "linkCallSite" || method.name == "linkMethod" || method.name == "linkDynamicConstant" ||
          method.name == "linkMethodHandleConstant" || method.name == "findMethodHandleType");
}

bool is_way_out(const classfile::MethodView& method) {
  return method.class_name == "java/lang/Math" && method.name == "addExact" && method.descriptor == "(II)I";
}

void emit_interception(const classfile::MethodView& method, classfile::Snippet& snippet) {
  constexpr std::uint16_t kBytes = 4, kFlags = 7;     // this, loader, lookup, name, bytes, domain, initialize, flags
  constexpr std::uint16_t kHolder = 0, kMembers = 1;  // of the static methods filterFields and filterMethods
  if (takes_hidden_class(method)) {
    snippet.load_parameter(kBytes);
    snippet.load_int_parameter(kFlags);
    call(snippet, kHiddenClass);
    snippet.store_parameter(kBytes);
    return;
  }
  if (shows_constructors(method)) {
    constexpr std::uint16_t kConstructors = 0;
    snippet.load_parameter(kConstructors);
    call(snippet, kVisibleConstructors);
    snippet.store_parameter(kConstructors);
  }
  if (!shows_members(method)) return;
  snippet.load_parameter(kMembers);
  snippet.load_parameter(kHolder);
  call(snippet, method.name == "filterFields" ? kVisibleFields : kVisibleMethods);
  snippet.store_parameter(kMembers);
}

void emit_rewritten_module(classfile::Snippet& snippet) {
  constexpr std::uint16_t kModule = 0;
  snippet.load_parameter(kModule);
  call(snippet, kRewrittenModule);
  snippet.store_parameter(kModule);
}

void emit_way_out(classfile::Snippet& snippet) {
  constexpr std::uint16_t kOne = 0, kOther = 1;
  snippet.load_int_parameter(kOne);
  snippet.load_int_parameter(kOther);
  call(snippet, kAddend);
  snippet.store_int_parameter(kOther);
}

}  // namespace bursar::agent
