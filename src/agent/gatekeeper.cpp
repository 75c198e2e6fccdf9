#include "agent/gatekeeper.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

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
  const jthread thread = bridge_.new_thread(jni, "bursar gatekeeper");
  if (thread == nullptr) return "the VM did not make a thread for the agent";
  if (jvmti_->RunAgentThread(thread, run, this, JVMTI_THREAD_NORM_PRIORITY) != JVMTI_ERROR_NONE) {
    return "the VM did not start a thread for the agent";
  }
  return "";
}

void JNICALL Gatekeeper::run(jvmtiEnv*, JNIEnv* jni, void* self) {
  auto& keeper = *static_cast<Gatekeeper*>(self);
  for (std::chrono::milliseconds pause = kFirstPause;; pause = std::min(2 * pause, kLongestPause)) {
    std::this_thread::sleep_for(pause);
    const std::vector<core::MethodId> busy = keeper.take_busy_gates();
    if (busy.empty()) continue;
    if (jni->PushLocalFrame(256) != 0) return;
    keeper.rewrite_classes_of(busy);
    jni->PopLocalFrame(nullptr);
  }
}

std::vector<core::MethodId> Gatekeeper::take_busy_gates() {
  const std::uint64_t now = process_cpu_ns();
  std::vector<std::uint64_t> calls = session_.calls_by_method();
  const double seconds = static_cast<double>(now - looked_at_ns_) * 1e-9;
  const double most = kMostEntries * seconds / session_.bursts().calls_per_weight();
  std::vector<core::MethodId> busy;
  for (const core::MethodId gate : session_.gates().list()) {
    const std::uint64_t before = gate < calls_.size() ? calls_[gate] : 0;
    const std::uint64_t entered = gate < calls.size() && calls[gate] > before ? calls[gate] - before : 0;
    if (entered < kEnough || static_cast<double>(entered) <= most) continue;
    session_.gates().drop(gate);
    busy.push_back(gate);
  }
  calls_ = std::move(calls);
  looked_at_ns_ = now;
  return busy;
}

// A class that cannot be rewritten now keeps its gate.
void Gatekeeper::rewrite_classes_of(const std::vector<core::MethodId>& methods) {
  std::set<std::string> names;
  for (const core::MethodId method : methods) names.insert("L" + session_.methods()[method].class_name + ";");
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
