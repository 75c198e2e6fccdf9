#include "agent/gatekeeper.h"

#include <algorithm>

#include "agent/clocks.h"

namespace bursar::agent {
namespace {

// Of a gate's entries, in a second of the process's CPU time.
constexpr double kMostEntries = 1'000'000;
// Fewer calls of it in bursts may be chance.
constexpr std::uint64_t kEnough = 5;
constexpr std::chrono::milliseconds kFirstPause(500), kLongestPause(30'000);

}  // namespace

std::string Gatekeeper::start(JNIEnv* jni) {
  return thread_.start(
      jni, [this](JNIEnv* own) { look(own); },
      [this] { return pause_ = std::clamp(2 * pause_, kFirstPause, kLongestPause); });
}

void Gatekeeper::look(JNIEnv* jni) {
  constexpr jint kLocals = 256;
  const std::vector<core::MethodId> busy = find_busy_gates();
  if (busy.empty() || jni->PushLocalFrame(kLocals) != JNI_OK) return;
  rewrite_classes_of(jni, busy);
  jni->PopLocalFrame(nullptr);
}

std::vector<core::MethodId> Gatekeeper::find_busy_gates() {
  const std::uint64_t now = process_cpu_ns();
  std::vector<std::uint64_t> calls = session_.calls_by_method();
  const double seconds = static_cast<double>(now - looked_at_ns_) * 1e-9;
  const double most = kMostEntries * seconds / session_.bursts().calls_per_weight();
  std::vector<core::MethodId> busy;
  for (const core::MethodId gate : session_.gates().list()) {
    const std::uint64_t before = gate < calls_.size() ? calls_[gate] : 0;
    const std::uint64_t entered = gate < calls.size() && calls[gate] > before ? calls[gate] - before : 0;
    if (entered < kEnough || static_cast<double>(entered) <= most) continue;
    busy.push_back(gate);
  }
  calls_ = std::move(calls);
  looked_at_ns_ = now;
  return busy;
}

// Of all methods that some thread is in.
std::set<std::string> Gatekeeper::running_classes(JNIEnv* jni) {
  constexpr jint kDeepest = 4096;
  std::set<std::string> names;
  jvmtiStackInfo* stacks = nullptr;
  jint count = 0;
  if (jvmti_->GetAllStackTraces(kDeepest, &stacks, &count) != JVMTI_ERROR_NONE) return names;
  for (jint i = 0; i < count; ++i) {
    for (jint k = 0; k < stacks[i].frame_count; ++k) {
      jclass cls = nullptr;
      if (jvmti_->GetMethodDeclaringClass(stacks[i].frame_buffer[k].method, &cls) != JVMTI_ERROR_NONE) continue;
      names.insert(bridge_.internal_name(cls));
      jni->DeleteLocalRef(cls);
    }
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(stacks));
  return names;
}

// A class that runs keeps its gate for now: the VM would forget the line numbers of
// those frames.
void Gatekeeper::rewrite_classes_of(JNIEnv* jni, const std::vector<core::MethodId>& methods) {
  const std::set<std::string> running = running_classes(jni);
  std::set<std::string> names;
  for (const core::MethodId method : methods) {
    const std::string& name = session_.methods()[method].class_name;
    if (running.contains(name)) continue;
    session_.gates().drop(method);
    names.insert("L" + name + ";");
  }
  jint count = 0;
  jclass* classes = nullptr;
  if (jvmti_->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) return;
  std::vector<jclass> changed;
  for (jint i = 0; i < count; ++i) {
    char* signature = nullptr;
    if (jvmti_->GetClassSignature(classes[i], &signature, nullptr) != JVMTI_ERROR_NONE) continue;
    jboolean modifiable = JNI_FALSE;
    if (names.contains(signature) && jvmti_->IsModifiableClass(classes[i], &modifiable) == JVMTI_ERROR_NONE &&
        modifiable != JNI_FALSE) {
      changed.push_back(classes[i]);
    }
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  if (!changed.empty()) jvmti_->RetransformClasses(static_cast<jint>(changed.size()), changed.data());
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(classes));
}

}  // namespace bursar::agent
