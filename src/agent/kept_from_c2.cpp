#include "agent/kept_from_c2.h"

#include <atomic>
#include <optional>
#include <string_view>

#include "agent/vm_structures.h"
#include "classfile/method_copies.h"

namespace bursar::agent {
namespace {

// What JDK 17 to 20 have, of which the VM names the second only.
constexpr std::uint32_t kNeverByC2 = 0x02000000, kLoopsNeverByC2 = 0x08000000;

// Of a method's access flags, those that are in its class file.
constexpr std::uint32_t kDeclared = 0x1fff;

bool has_both_compilers(VmStructures& vm) {
  const Address in_tiers = vm.option("TieredCompilation"), mode = vm.option("CompilationMode");
  return in_tiers != 0 && load<bool>(in_tiers) && mode != 0 && load<const char*>(mode) == std::string_view("default");
}

}  // namespace

void KeptFromC2::start(JNIEnv* jni) {
  JavaVM* vm = nullptr;
  if (jni->GetJavaVM(&vm) != JNI_OK) return;
  std::optional<VmStructures> structures = VmStructures::of(vm);
  if (!structures || structures->type_of("Method", "_access_flags") != "AccessFlags" ||
      structures->constant("JVM_ACC_NOT_C2_OSR_COMPILABLE") != std::int32_t{kLoopsNeverByC2} ||
      !has_both_compilers(*structures)) {
    return;
  }
  never_ = kNeverByC2 | kLoopsNeverByC2;
  flags_ = structures->offset("Method", "_access_flags");
  if (jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_PREPARE, nullptr) != JVMTI_ERROR_NONE) return;
  jint count = 0;
  jclass* classes = nullptr;
  if (jvmti_->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) return;
  for (jint i = 0; i < count; ++i) {
    class_prepared(classes[i]);
    jni->DeleteLocalRef(classes[i]);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(classes));
}

void KeptFromC2::class_prepared(jclass cls) {
  jint count = 0;
  jmethodID* methods = nullptr;
  if (jvmti_->GetClassMethods(cls, &count, &methods) != JVMTI_ERROR_NONE) return;  // not prepared yet, an array …
  for (jint i = 0; i < count; ++i) keep(methods[i]);
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(methods));
}

void KeptFromC2::keep(jmethodID method) {
  char* descriptor = nullptr;
  if (jvmti_->GetMethodName(method, nullptr, &descriptor, nullptr) != JVMTI_ERROR_NONE) return;
  const bool is_copy = classfile::descriptor_of_original(descriptor).has_value();
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(descriptor));
  jint modifiers = 0;
  if (!is_copy || jvmti_->GetMethodModifiers(method, &modifiers) != JVMTI_ERROR_NONE) return;
  // A jmethodID is where the VM keeps the address of its method.
  std::atomic_ref<std::uint32_t> flags(*reinterpret_cast<std::uint32_t*>(*reinterpret_cast<Address*>(method) + flags_));
  if ((flags.load(std::memory_order_relaxed) & kDeclared) != static_cast<std::uint32_t>(modifiers)) return;
  if ((flags.fetch_or(never_) & never_) != never_) ++copies_;
}

}  // namespace bursar::agent
