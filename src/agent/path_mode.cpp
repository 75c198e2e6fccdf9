#include "agent/path_mode.h"

#include <cstring>

#include "agent/clocks.h"
#include "agent/status_file.h"
#include "agent/thread_dumps.h"
#include "agent/vm_facts.h"

namespace bursar::agent {
namespace {

// The VM's events have no other way to find it; set once, before the first of them.
PathMode* g_mode = nullptr;

// Runs in: app thread
void JNICALL class_file_load_hook(jvmtiEnv*, JNIEnv*, jclass, jobject, const char*, jobject, jint length,
                                  const unsigned char* bytes, jint* new_length, unsigned char** new_bytes) {
  g_mode->class_file_load_hook(length, bytes, new_length, new_bytes);
}

void JNICALL vm_start(jvmtiEnv*, JNIEnv* jni) {
  g_mode->vm_start(jni);
}

void JNICALL vm_init(jvmtiEnv*, JNIEnv* jni, jthread) {
  g_mode->vm_init(jni);
}

// Runs in: app thread
void JNICALL native_bound(jvmtiEnv*, JNIEnv* jni, jthread, jmethodID method, void* address, void** new_address) {
  g_mode->native_bound(jni, method, address, new_address);
}

// Runs in: app thread, the one that starts
void JNICALL thread_start(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  g_mode->thread_start(jni, thread);
}

// Runs in: app thread, the one that ends
void JNICALL thread_end(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  g_mode->thread_end(jni, thread);
}

void JNICALL vm_death(jvmtiEnv*, JNIEnv* jni) {
  g_mode->vm_death(jni);
}

}  // namespace

std::string PathMode::load(const AgentOptions&) {
  if (core::CommonNodes::instance().mute == 0 || counting_.shared() == 0) return "no memory";
  if (options_.placement == PathPlacement::kWorst) rewriter_.set_order(classfile::EdgeOrder::kColdestFirst);
  g_mode = this;
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_generate_early_class_hook_events = 1;
  capabilities.can_generate_early_vmstart = 1;
  capabilities.can_generate_native_method_bind_events = 1;
  // Called behind agents that cannot retransform: probes go into what those made of a class.
  capabilities.can_retransform_classes = 1;
  if (jvmti_->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return "this JVM does not let an agent rewrite classes from the start";
  }
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = agent::class_file_load_hook;
  callbacks.VMStart = agent::vm_start;
  callbacks.VMInit = agent::vm_init;
  callbacks.NativeMethodBind = agent::native_bound;
  callbacks.ThreadStart = agent::thread_start;
  callbacks.ThreadEnd = agent::thread_end;
  callbacks.VMDeath = agent::vm_death;
  if (jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return "callbacks were refused";
  for (const jvmtiEvent event :
       {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT, JVMTI_EVENT_NATIVE_METHOD_BIND,
        JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH}) {
    if (jvmti_->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return "an event was refused";
    }
  }
  return "";
}

void PathMode::attached(JNIEnv*, const AgentOptions& options) {
  if (options.action == AttachAction::kStatus) return tell(options.status, "recording", options_.mode);
  tell(options.status, "error",
       "mode " + options_.mode + " records this JVM from its start, and writes its profile when the JVM ends");
}

void PathMode::give_up(const std::string& why) {
  tell(options_.status, "error", why + "; the program runs without being profiled");
  for (const jvmtiEvent event : {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_NATIVE_METHOD_BIND,
                                 JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH}) {
    jvmti_->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
}

void PathMode::class_file_load_hook(jint length, const unsigned char* bytes, jint* new_length,
                                    unsigned char** new_bytes) {
  const base::Bytes class_file(bytes, static_cast<std::size_t>(length));
  session_.look_for_agents(class_file);
  const std::vector<std::uint8_t> rewritten = rewriter_.rewrite(class_file);
  if (rewritten.empty()) return;
  unsigned char* copy = nullptr;
  if (jvmti_->Allocate(static_cast<jlong>(rewritten.size()), &copy) != JVMTI_ERROR_NONE) return;
  std::memcpy(copy, rewritten.data(), rewritten.size());
  *new_length = static_cast<jint>(rewritten.size());
  *new_bytes = copy;
}

void PathMode::vm_start(JNIEnv* jni) {
  std::string problem = bridge_.define(jni, session_);
  if (problem.empty()) problem = paths_.define(jni);
  if (!problem.empty()) give_up(problem);
}

void PathMode::vm_init(JNIEnv* jni) {
  std::string problem = bridge_.wake(jni);
  if (problem.empty()) problem = samples() ? start_sampling(jni) : paths_.wake(jni, {counting_.shared()}, &counting_);
  awake_ = problem.empty();
  if (!problem.empty()) give_up(problem);
}

std::string PathMode::start_sampling(JNIEnv* jni) {
  std::string problem = paths_.wake(jni, {sampler_.shared(), sampler_.flag()}, nullptr);
  if (!problem.empty()) return problem;
  awake_ = true;
  jint count = 0;
  jthread* threads = nullptr;
  if (jvmti_->GetAllThreads(&count, &threads) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < count; ++i) thread_start(jni, threads[i]);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
  }
  if (options_.placement == PathPlacement::kProfile) problem = renumbering_.start(jni);
  return problem.empty() ? sampler_.start() : problem;
}

void PathMode::native_bound(JNIEnv* jni, jmethodID method, void* address, void** new_address) {
  jclass cls = nullptr;
  char* name = nullptr;
  if (jvmti_->GetMethodDeclaringClass(method, &cls) != JVMTI_ERROR_NONE) return;
  if (jvmti_->GetMethodName(method, &name, nullptr, nullptr) == JVMTI_ERROR_NONE) {
    *new_address = replacement_of_native(bridge_.internal_name(cls), name, address);
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(name));
  }
  jni->DeleteLocalRef(cls);
}

// A thread that has counters to get asks for them itself.
void PathMode::thread_start(JNIEnv* jni, jthread thread) {
  if (!awake_ || !samples() || bridge_.is_virtual(jni, thread) || paths_.place_of(jni, thread) != 0) return;
  paths_.set_place(jni, thread, static_cast<std::int64_t>(sampler_.open() - sampler_.shared()));
}

void PathMode::thread_end(JNIEnv* jni, jthread thread) {
  if (!awake_ || bridge_.is_virtual(jni, thread)) return;
  const std::int64_t place = paths_.place_of(jni, thread);
  // What it still runs goes to what others share.
  paths_.set_place(jni, thread, samples() ? 0 : -1);
  if (samples()) {
    if (place != 0) sampler_.close(static_cast<std::uint64_t>(place) + sampler_.shared());
  } else if (place > 0) {
    counting_.close(static_cast<std::uint64_t>(place));
  }
}

void PathMode::vm_death(JNIEnv*) {
  sampler_.stop();
  renumbering_.stop();
  using profile::MetricKind;
  profile::ProfileData data = samples() ? registry_.to_profile(sampler_.weights(), MetricKind::kSamples)
                                        : registry_.to_profile(counting_.counts(), MetricKind::kExact);
  add_facts(data);
  SavedProfile saved = save_profile(std::move(data), options_.output);
  if (samples()) saved.total = sampler_.totals().samples;
  tell_outcome(options_.status, saved, samples() ? "path_samples" : "paths");
}

void PathMode::add_facts(profile::ProfileData& data) const {
  data.info["mode"] = {options_.mode};
  if (!options_.command.empty()) data.info["command"] = {options_.command};
  data.info["jvm"] = {name_of_vm(jvmti_)};
  const PathRewriter::Totals totals = rewriter_.totals();
  data.counters["rewritten_methods"] = totals.counts.rewritten;
  data.counters["rewritten_classes"] = totals.classes;
  data.counters["rewriting_cpu_ns"] = totals.cpu_ns;
  data.counters["numbered_paths"] = registry_.size();
  data.counters["process_cpu_ns"] = process_cpu_ns();
  if (samples()) {
    const PathSampler::Totals sampled = sampler_.totals();
    data.counters["ticks"] = sampled.ticks;
    data.counters["path_samples"] = sampled.samples;
    data.counters["sampling_cpu_ns"] = sampled.cpu_ns;
    data.counters["renumbered_methods"] = totals.renumbered;
  }
  for (std::size_t i = 0; i < totals.counts.skipped.size(); ++i) {
    if (totals.counts.skipped[i] == 0) continue;
    data.skipped_methods[std::string(classfile::kSkipReasonNames[i])] = totals.counts.skipped[i];
  }
  for (std::size_t i = 0; i < totals.refused.size(); ++i) {
    if (totals.refused[i] == 0) continue;
    data.skipped_methods[std::string(classfile::kPathRefusalNames[i])] = totals.refused[i];
  }
  if (totals.refused_classes != 0) data.skipped_methods["class-refused"] = totals.refused_classes;
}

}  // namespace bursar::agent
