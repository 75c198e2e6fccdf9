#include "agent/gatekeeper.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "agent/gate_choice.h"

namespace bursar::agent {
namespace {

constexpr int kPatience = 5;  // rounds

std::chrono::milliseconds pause_after(int round) {
  if (round < 50) return std::chrono::milliseconds(20);
  if (round < 200) return std::chrono::milliseconds(50);
  return std::chrono::milliseconds(500);
}

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
  for (int round = 0;; ++round) {
    std::this_thread::sleep_for(pause_after(round));
    if (jni->PushLocalFrame(256) != 0) return;
    keeper.round(jni);
    jni->PopLocalFrame(nullptr);
  }
}

void Gatekeeper::round(JNIEnv* jni) {
  ++rounds_;
  take_scouts();
  look_at_stacks(jni);
  drop_small_gates();
  if (rounds_ < 25 || rounds_ % 20 == 0 || rounds_ > 200) open_gates(jni);
  send_scout(jni);
}

void Gatekeeper::look_at_stacks(JNIEnv* jni) {
  constexpr jint kDeepest = 2048;
  jint count = 0;
  jthread* threads = nullptr;
  if (jvmti_->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return;
  std::vector<jthread> running;
  for (jint i = 0; i < count; ++i) {
    jint state = 0;
    jvmti_->GetThreadState(threads[i], &state);
    if ((state & JVMTI_THREAD_STATE_RUNNABLE) != 0 && (state & JVMTI_THREAD_STATE_IN_NATIVE) == 0) {
      running.push_back(threads[i]);
    }
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
  if (running.empty()) return;
  jvmtiStackInfo* infos = nullptr;
  if (jvmti_->GetThreadListStackTraces(static_cast<jint>(running.size()), running.data(), kDeepest, &infos) !=
      JVMTI_ERROR_NONE) {
    return;
  }
  std::unordered_map<std::string, Stack> before = std::exchange(stacks_, {});
  for (std::size_t i = 0; i < running.size(); ++i) {
    const jvmtiStackInfo& info = infos[i];
    const std::string name = bridge_.name_of(jni, info.thread);
    Stack stack = bridge_.known_frames(jni, {info.frame_buffer, static_cast<std::size_t>(info.frame_count)});
    const core::MethodId entered = before.contains(name) ? entered_between(before[name], stack) : core::kNoMethod;
    if (entered != core::kNoMethod) {
      // A gate that came later than that does as well.
      const auto end =
          std::find_if(stack.rbegin(), stack.rend(), [&](const StackFrame& f) { return f.method == entered; });
      const bool covered =
          std::any_of(end, stack.rend(), [&](const StackFrame& f) { return session_.gates().contains(f.method); });
      if (!covered) add(entered);
    }
    stacks_[name] = std::move(stack);
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(infos));
}

void Gatekeeper::take_scouts() {
  for (const Scout& scout : session_.bursts().take_scouts()) {
    if (scout.gate == sent_) sent_ = core::kNoMethod;
    for (const core::MethodId method : gates_within(*scout.tree)) add(method);
  }
}

// Walking the stack would cost more than what the burst tells.
void Gatekeeper::drop_small_gates() {
  constexpr std::uint64_t kEnough = 50, kTooShort = 10'000;
  for (const auto& [method, counts] : session_.bursts().gate_counts()) {
    if (counts.bursts < kEnough || counts.ns / counts.bursts >= kTooShort || !session_.gates().contains(method))
      continue;
    session_.gates().remove(method);
    dropped_.insert(method);
    closed_gates_.push_back(method);
  }
}

void Gatekeeper::add(core::MethodId method) {
  if (dropped_.contains(method)) return;
  if (!session_.may_be_gate(method) || !session_.gates().add(method)) return;
  new_gates_.push_back(method);
}

void Gatekeeper::open_gates(JNIEnv*) {
  if (new_gates_.empty() && closed_gates_.empty()) return;
  std::set<std::string> names;
  for (const core::MethodId method : closed_gates_) names.insert("L" + session_.methods()[method].class_name + ";");
  closed_gates_.clear();
  for (const core::MethodId method : new_gates_) names.insert("L" + session_.methods()[method].class_name + ";");
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
  if (!changed.empty()) {
    // What cannot be rewritten now is no gate, then.
    jvmti_->RetransformClasses(static_cast<jint>(changed.size()), changed.data());
  }
  jvmti_->Deallocate(reinterpret_cast<unsigned char*>(classes));
  to_scout_.insert(to_scout_.end(), new_gates_.begin(), new_gates_.end());
  new_gates_.clear();
}

void Gatekeeper::send_scout(JNIEnv* jni) {
  if (to_scout_.empty() && rounds_ % 4 == 0) {
    // Again those that take longest in all.
    std::vector<std::pair<double, core::MethodId>> longest;
    for (const auto& [method, counts] : session_.bursts().gate_counts()) {
      const double mean = static_cast<double>(counts.ns) / static_cast<double>(counts.bursts);
      if (mean > 300'000 && session_.gates().contains(method))
        longest.emplace_back(static_cast<double>(counts.ns), method);
    }
    std::sort(longest.begin(), longest.end());
    for (const auto& [ns, method] : longest) to_scout_.push_back(method);
  }
  if (sent_ != core::kNoMethod && ++scout_rounds_ < kPatience) return;
  if (to_scout_.empty()) return;
  // The latest first: what is called now. One that does not come gets another chance when all others had theirs.
  if (sent_ != core::kNoMethod) to_scout_.push_front(sent_);
  sent_ = to_scout_.back();
  to_scout_.pop_back();
  scout_rounds_ = 0;
  bridge_.scout(jni, sent_);
}

}  // namespace bursar::agent
