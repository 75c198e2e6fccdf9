#include "agent/recompilation.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "agent/filter.h"
#include "agent/status_file.h"

namespace bursar::agent {
namespace {

// A tool environment that is gone with this.
class OwnEnvironment {
 public:
  explicit OwnEnvironment(JavaVM* vm) {
    if (vm->GetEnv(reinterpret_cast<void**>(&jvmti_), JVMTI_VERSION_11) != JNI_OK) jvmti_ = nullptr;
  }
  ~OwnEnvironment() {
    if (jvmti_ != nullptr) jvmti_->DisposeEnvironment();
  }
  OwnEnvironment(const OwnEnvironment&) = delete;
  OwnEnvironment& operator=(const OwnEnvironment&) = delete;

  bool may_retransform() const {
    jvmtiCapabilities wanted{};
    wanted.can_retransform_classes = 1;
    return jvmti_ != nullptr && jvmti_->AddCapabilities(&wanted) == JVMTI_ERROR_NONE;
  }
  jvmtiEnv* operator->() const { return jvmti_; }

 private:
  jvmtiEnv* jvmti_ = nullptr;
};

// com.acme.Shop; empty for arrays and primitive types.
std::string name_of(const OwnEnvironment& jvmti, jclass cls) {
  char* signature = nullptr;
  if (jvmti->GetClassSignature(cls, &signature, nullptr) != JVMTI_ERROR_NONE) return "";
  std::string name(signature);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  if (name.size() < 2 || name.front() != 'L') return "";
  name = name.substr(1, name.size() - 2);
  std::replace(name.begin(), name.end(), '/', '.');
  return name;
}

bool is_wanted(const OwnEnvironment& jvmti, jclass cls, const std::vector<std::string>& patterns) {
  const std::string name = name_of(jvmti, cls);
  const bool named = std::any_of(patterns.begin(), patterns.end(),
                                 [&](const std::string& pattern) { return matches_pattern(pattern, name); });
  jboolean modifiable = JNI_FALSE;
  return named && jvmti->IsModifiableClass(cls, &modifiable) == JVMTI_ERROR_NONE && modifiable == JNI_TRUE;
}

}  // namespace

void recompile(JavaVM* vm, JNIEnv* jni, const AgentOptions& options) {
  const OwnEnvironment jvmti(vm);
  jint count = 0;
  jclass* classes = nullptr;
  if (!jvmti.may_retransform() || jvmti->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) {
    tell(options.status, "error", "the JVM does not let its classes be retransformed");
    return;
  }
  std::size_t done = 0, failed = 0;
  for (jint i = 0; i < count; ++i) {
    if (is_wanted(jvmti, classes[i], options.include)) {
      // One by one: a class that the VM does not take must not keep others from it.
      ++(jvmti->RetransformClasses(1, &classes[i]) == JVMTI_ERROR_NONE ? done : failed);
    }
    jni->DeleteLocalRef(classes[i]);
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(classes));
  tell(options.status, "recompiled", std::to_string(done));
  if (failed > 0) {
    tell(options.status, "error", "the JVM did not take " + std::to_string(failed) + " of the classes once more");
  }
}

}  // namespace bursar::agent
