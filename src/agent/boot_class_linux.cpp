#include <dlfcn.h>

#include "agent/boot_class.h"

namespace bursar::agent {
namespace {

using FindFromBootLoader = jclass(JNIEnv*, const char*);
using FindFromCaller = jclass(JNIEnv*, const char*, jboolean, jobject, jclass);

template <class Function>
Function* vm_function(JNIEnv* jni, const char* name) {
  // The library that JNI itself lies in: a VM that was loaded privately is not visible by name.
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(jni->functions->FindClass), &info) == 0) return nullptr;
  void* const library = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  const auto function = reinterpret_cast<Function*>(dlsym(library, name));
  dlclose(library);
  return function;
}

}  // namespace

jclass find_boot_class(JNIEnv* jni, const char* internal_name) {
  static FindFromBootLoader* const kFind = vm_function<FindFromBootLoader>(jni, "JVM_FindClassFromBootLoader");
  if (kFind == nullptr) return nullptr;
  const jclass found = kFind(jni, internal_name);
  if (found == nullptr) {
    jni->ExceptionClear();
    return nullptr;
  }
  return static_cast<jclass>(jni->NewGlobalRef(found));
}

void resolve_class(JNIEnv* jni, const char* internal_name, bool initialise, jobject loader, jclass caller) {
  static FindFromCaller* const kFind = vm_function<FindFromCaller>(jni, "JVM_FindClassFromCaller");
  if (kFind == nullptr) return;
  const jclass found = kFind(jni, internal_name, initialise ? JNI_TRUE : JNI_FALSE, loader, caller);
  if (found != nullptr) jni->DeleteLocalRef(found);
}

}  // namespace bursar::agent
