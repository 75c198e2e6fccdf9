#include "agent/code_renewal.h"

#include "agent/boot_class.h"

namespace bursar::agent {

std::string CodeRenewal::prepare(JNIEnv* jni, jclass fork) {
  const jclass any_call_site = find_boot_class(jni, "java/lang/invoke/CallSite");
  const jfieldID field = jni->GetStaticFieldID(fork, "codes", "[Ljava/lang/invoke/CallSite;");
  const jobjectArray made = any_call_site != nullptr && field != nullptr
                                ? jni->NewObjectArray(Gates::kMost, any_call_site, nullptr)
                                : nullptr;
  if (made == nullptr) {
    jni->ExceptionClear();
    return "there is no memory for a table of gates";
  }
  codes_ = static_cast<jobjectArray>(jni->NewGlobalRef(made));
  jni->SetStaticObjectField(fork, field, made);
  jni->DeleteLocalRef(made);

  call_site_ = find_boot_class(jni, "java/lang/invoke/MutableCallSite");
  natives_ = find_boot_class(jni, "java/lang/invoke/MethodHandleNatives");
  const jclass handle = find_boot_class(jni, "java/lang/invoke/DirectMethodHandle");
  if (call_site_ == nullptr || natives_ == nullptr || handle == nullptr) return "";
  target_field_ = jni->GetFieldID(call_site_, "target", "Ljava/lang/invoke/MethodHandle;");
  jni->ExceptionClear();
  context_field_ = jni->GetFieldID(call_site_, "context", "Ljava/lang/invoke/MethodHandleNatives$CallSiteContext;");
  jni->ExceptionClear();
  if (context_field_ != nullptr) {
    context_ = find_boot_class(jni, "java/lang/invoke/MethodHandleNatives$CallSiteContext");
  }
  if (target_field_ == nullptr || (context_field_ != nullptr && context_ == nullptr)) return "";
  for (jobject& target : targets_) {
    const jobject empty = jni->AllocObject(handle);
    if (empty == nullptr) {
      jni->ExceptionClear();
      return "";
    }
    target = jni->NewGlobalRef(empty);
    jni->DeleteLocalRef(empty);
  }
  set_target_ = jni->GetStaticMethodID(natives_, "setCallSiteTargetNormal",
                                       "(Ljava/lang/invoke/CallSite;Ljava/lang/invoke/MethodHandle;)V");
  jni->ExceptionClear();
  return "";
}

// Without its constructor, which would have each cleaned up some day; ours stay to the end.
jobject CodeRenewal::make_call_site(JNIEnv* jni) const {
  const jobject site = jni->AllocObject(call_site_);
  const jobject context = site != nullptr && context_ != nullptr ? jni->AllocObject(context_) : nullptr;
  if (site == nullptr || (context_ != nullptr && context == nullptr)) {
    jni->ExceptionClear();
    return nullptr;
  }
  if (context != nullptr) {
    jni->SetObjectField(site, context_field_, context);
    jni->DeleteLocalRef(context);
  }
  jni->SetObjectField(site, target_field_, targets_[0]);
  return site;
}

void CodeRenewal::watch(JNIEnv* jni, const Gates& gates) {
  if (!can_renew()) return;
  for (; watched_ < gates.size(); ++watched_) {
    const GateNumber first = gates.gates_of(gates.method_of(watched_)).front();
    jobject site = jni->GetObjectArrayElement(codes_, static_cast<jsize>(first));
    if (site == nullptr) site = make_call_site(jni);
    if (site == nullptr) return;
    jni->SetObjectArrayElement(codes_, static_cast<jsize>(watched_), site);
    jni->DeleteLocalRef(site);
  }
}

void CodeRenewal::renew(JNIEnv* jni, GateNumber gate) {
  if (!can_renew()) return;
  const jobject site = jni->GetObjectArrayElement(codes_, static_cast<jsize>(gate));
  if (site == nullptr) return;
  const jobject target = jni->GetObjectField(site, target_field_);
  const bool is_first = jni->IsSameObject(target, targets_[0]) != JNI_FALSE;
  jni->CallStaticVoidMethod(natives_, set_target_, site, targets_[is_first ? 1 : 0]);
  jni->ExceptionClear();
  jni->DeleteLocalRef(target);
  jni->DeleteLocalRef(site);
}

}  // namespace bursar::agent
