#include "agent/vm_facts.h"

#include <cstdlib>

#include "agent/boot_class.h"

namespace bursar::agent {
namespace {

constexpr int kOldestVersion = 17, kNewestVersion = 25;

std::string property(jvmtiEnv* jvmti, const char* name) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE || value == nullptr) return "";
  std::string text = value;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(value));
  return text;
}

}  // namespace

std::string unfit(jvmtiEnv* jvmti) {
  const std::string name = property(jvmti, "java.vm.name");
  const std::string version = property(jvmti, "java.vm.version");
  const bool hotspot = name.find("OpenJDK") != std::string::npos || name.find("HotSpot") != std::string::npos;
  const int major = release_of_vm(jvmti);
  if (hotspot && major >= kOldestVersion && major <= kNewestVersion) return "";
  return "needs a HotSpot JVM, version 17 to 25; this is " + name + " " + version;
}

int release_of_vm(jvmtiEnv* jvmti) {
  return std::atoi(property(jvmti, "java.vm.version").c_str());
}

std::string name_of_vm(jvmtiEnv* jvmti) {
  return property(jvmti, "java.vm.name") + " " + property(jvmti, "java.vm.version");
}

std::int64_t env_offset(jvmtiEnv* jvmti, JNIEnv* jni) {
  const jclass cls = find_boot_class(jni, "java/lang/Thread");
  const jfieldID address = cls != nullptr ? jni->GetFieldID(cls, "eetop", "J") : nullptr;
  jthread self = nullptr;
  std::int64_t offset = 0;
  if (address != nullptr && jvmti->GetCurrentThread(&self) == JVMTI_ERROR_NONE) {
    offset = reinterpret_cast<std::int64_t>(jni) - jni->GetLongField(self, address);
    jni->DeleteLocalRef(self);
  }
  jni->ExceptionClear();
  if (cls != nullptr) jni->DeleteGlobalRef(cls);
  return offset;
}

std::string name_of_thread(jvmtiEnv* jvmti, JNIEnv* jni, jthread thread) {
  jvmtiThreadInfo info{};
  if (jvmti->GetThreadInfo(thread, &info) != JVMTI_ERROR_NONE || info.name == nullptr) return "unnamed thread";
  std::string name = info.name;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(info.name));
  jni->DeleteLocalRef(info.thread_group);
  jni->DeleteLocalRef(info.context_class_loader);
  return name;
}

}  // namespace bursar::agent
