#include "agent/method_namer.h"

#include <string_view>

namespace bursar::agent {
namespace {

std::string taken(jvmtiEnv* jvmti, char* text) {
  if (text == nullptr) return "";
  std::string copy = text;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(text));
  return copy;
}

}  // namespace

core::Method name_method(jvmtiEnv* jvmti, JNIEnv* jni, jmethodID method) {
  core::Method named;
  jclass cls = nullptr;
  // From here on the reference keeps the class.
  if (jvmti->GetMethodDeclaringClass(method, &cls) != JVMTI_ERROR_NONE) return named;
  char *name = nullptr, *descriptor = nullptr, *signature = nullptr;
  if (jvmti->GetMethodName(method, &name, &descriptor, nullptr) == JVMTI_ERROR_NONE &&
      jvmti->GetClassSignature(cls, &signature, nullptr) == JVMTI_ERROR_NONE) {
    named.class_name = taken(jvmti, signature);  // Lname;
    if (named.class_name.size() > 2) named.class_name = named.class_name.substr(1, named.class_name.size() - 2);
  }
  named.name = taken(jvmti, name);
  named.descriptor = taken(jvmti, descriptor);
  jboolean native = JNI_FALSE;
  if (jvmti->IsMethodNative(method, &native) == JVMTI_ERROR_NONE && native != JNI_FALSE) {
    named.nature = core::MethodNature::kNative;
  }
  jlocation first = 0, last = -1;
  if (jvmti->GetMethodLocation(method, &first, &last) == JVMTI_ERROR_NONE && last >= 0) {
    named.code_bytes = static_cast<std::uint32_t>(last + 1);
  }
  jni->DeleteLocalRef(cls);
  return named;
}

void make_method_ids(jvmtiEnv* jvmti, jclass cls) {
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti->GetClassMethods(cls, &count, &methods) != JVMTI_ERROR_NONE) return;  // not prepared yet
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(methods));
}

void make_all_method_ids(jvmtiEnv* jvmti, JNIEnv* jni) {
  jint count = 0;
  jclass* classes = nullptr;
  if (jvmti->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    make_method_ids(jvmti, classes[i]);
    jni->DeleteLocalRef(classes[i]);
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(classes));
}

}  // namespace bursar::agent
