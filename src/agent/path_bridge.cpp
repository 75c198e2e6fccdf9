#include "agent/path_bridge.h"

#include "agent/boot_class.h"
#include "agent/embedded_classes.h"

namespace bursar::agent {
namespace {

// The native has no other way to find them; set once, before it can be called.
PathCounting* g_counting = nullptr;
const JavaBridge* g_bridge = nullptr;

constexpr jlong kUseShared = -1;

}  // namespace

// Exported by name: registering natives of a class of java.base makes the VM print a warning.
extern "C" JNIEXPORT jlong JNICALL Java_java_lang_BursarPaths_open(JNIEnv* jni, jclass, jthread thread) {
  if (thread == nullptr || g_counting == nullptr || g_bridge->is_virtual(jni, thread)) return kUseShared;
  const std::uint64_t counters = g_counting->open();
  return counters != 0 ? static_cast<jlong>(counters) : kUseShared;
}

std::string PathBridge::define(JNIEnv* jni) {
  const std::span<const std::uint8_t> bytes = embedded::paths_class();
  const jclass cls = jni->DefineClass(kPathsClass, nullptr, reinterpret_cast<const jbyte*>(bytes.data()),
                                      static_cast<jsize>(bytes.size()));
  if (cls == nullptr) {
    jni->ExceptionClear();
    return "the VM did not take the class of path probes";
  }
  paths_ = static_cast<jclass>(jni->NewGlobalRef(cls));
  return "";
}

std::string PathBridge::wake(JNIEnv* jni, const Addresses& addresses, PathCounting* counting) {
  g_counting = counting;
  g_bridge = &bridge_;
  const jclass thread = find_boot_class(jni, kThreadClass);
  const jclass object = find_boot_class(jni, kObjectClass);
  const jclass unsafe = find_boot_class(jni, "jdk/internal/misc/Unsafe");
  if (thread == nullptr || object == nullptr || unsafe == nullptr) return "this VM lacks a class that the probes need";
  field_ = jni->GetFieldID(thread, kPathsField.name, kPathsField.descriptor);
  const jmethodID methods[] = {jni->GetStaticMethodID(object, kCountPath.name, kCountPath.descriptor),
                               jni->GetStaticMethodID(object, kSamplePath.name, kSamplePath.descriptor)};
  const jfieldID own_unsafe = jni->GetStaticFieldID(paths_, "unsafe", "Ljdk/internal/misc/Unsafe;");
  const jfieldID shared = jni->GetStaticFieldID(paths_, "shared", "J");
  const jfieldID flag = jni->GetStaticFieldID(paths_, "flag", "J");
  const jfieldID awake = jni->GetStaticFieldID(paths_, "awake", "Z");
  const jmethodID bind = jni->GetStaticMethodID(paths_, "bind", "()V");
  const jmethodID get_unsafe = jni->GetStaticMethodID(unsafe, "getUnsafe", "()Ljdk/internal/misc/Unsafe;");
  if (jni->ExceptionCheck() != JNI_FALSE) {
    jni->ExceptionClear();
    return "this VM lacks a field that the probes need";
  }
  bridge_.hide(field_);
  for (const jmethodID method : methods) bridge_.hide(method);
  jni->CallStaticVoidMethod(paths_, bind);
  const jobject the_unsafe =
      jni->ExceptionCheck() == JNI_FALSE ? jni->CallStaticObjectMethod(unsafe, get_unsafe) : nullptr;
  if (jni->ExceptionCheck() != JNI_FALSE || the_unsafe == nullptr) {
    jni->ExceptionClear();
    return "this VM does not give the probes access to memory";
  }
  jni->SetStaticObjectField(paths_, own_unsafe, the_unsafe);
  jni->SetStaticLongField(paths_, shared, static_cast<jlong>(addresses.shared));
  jni->SetStaticLongField(paths_, flag, static_cast<jlong>(addresses.flag));
  jni->SetStaticBooleanField(paths_, awake, JNI_TRUE);
  return "";
}

std::int64_t PathBridge::place_of(JNIEnv* jni, jthread thread) const {
  return jni->GetLongField(thread, field_);
}

void PathBridge::set_place(JNIEnv* jni, jthread thread, std::int64_t place) const {
  jni->SetLongField(thread, field_, place);
}

}  // namespace bursar::agent
