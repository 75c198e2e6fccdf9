#include "agent/path_renumbering.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "agent/added_members.h"

namespace bursar::agent {

std::string PathRenumbering::start(JNIEnv* jni) {
  std::string problem = thread_.start(
      jni, [this](JNIEnv* own_jni) { look(own_jni); },
      // After 2, 4, 8 … seconds: from one look to the next as long as from the start to that one.
      [this] { return kFirstLook * (1 << std::clamp(looks_ - 1, 0, kMostLooks)); });
  running_ = problem.empty();
  return problem;
}

void PathRenumbering::stop() {
  if (std::exchange(running_, false)) thread_.stop();
}

void PathRenumbering::look(JNIEnv* jni) {
  ++looks_;
  if (const std::set<std::string> names = choose(); !names.empty()) retransform(jni, names);
}

std::set<std::string> PathRenumbering::choose() {
  std::set<std::string> names;
  for (PathRegistry::Misplaced& each : registry_.misplaced(sampler_.weights(), kLeastShare)) {
    if (each.class_name == kObjectClass || each.class_name == kThreadClass) continue;
    if (times_[each.class_name] >= kMostTimes || !asked_.insert(each.first).second) continue;
    rewriter_.renumber(each.first, std::move(each.edges));
    names.insert(each.class_name);
  }
  for (const std::string& name : names) ++times_[name];
  return names;
}

void PathRenumbering::retransform(JNIEnv* jni, const std::set<std::string>& names) {
  jint count = 0;
  jclass* classes = nullptr;
  if (jvmti_->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) return;
  std::vector<jclass> chosen;
  for (jint i = 0; i < count; ++i) {
    char* signature = nullptr;
    jboolean modifiable = JNI_FALSE;
    if (jvmti_->GetClassSignature(classes[i], &signature, nullptr) != JVMTI_ERROR_NONE) continue;
    const std::string text(signature);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(signature));
    if (text.size() > 2 && text.front() == 'L' && names.contains(text.substr(1, text.size() - 2)) &&
        jvmti_->IsModifiableClass(classes[i], &modifiable) == JVMTI_ERROR_NONE && modifiable == JNI_TRUE) {
      chosen.push_back(classes[i]);
    }
  }
  // At one safepoint; one by one if the VM does not take one of them.
  if (jvmti_->RetransformClasses(static_cast<jint>(chosen.size()), chosen.data()) != JVMTI_ERROR_NONE) {
    for (const jclass& cls : chosen) jvmti_->RetransformClasses(1, &cls);
  }
  for (jint i = 0; i < count; ++i) jni->DeleteLocalRef(classes[i]);
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(classes));
}

}  // namespace bursar::agent
