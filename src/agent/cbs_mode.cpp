#include "agent/cbs_mode.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <span>

#include "agent/clocks.h"
#include "agent/embedded_classes.h"
#include "agent/method_namer.h"
#include "agent/status_file.h"
#include "agent/vm_facts.h"

namespace bursar::agent {
namespace {

// The VM's events have no other way to find it; set once, before the first of them.
CbsMode* g_mode = nullptr;

void JNICALL vm_init(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  g_mode->vm_init(jni, thread);
}

// Runs in: app thread, the one that starts
void JNICALL thread_start(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  g_mode->thread_start(jni, thread);
}

// Runs in: app thread, the one that ends
void JNICALL thread_end(jvmtiEnv*, JNIEnv*, jthread) {
  g_mode->thread_end();
}

// Runs in: app thread, in a window
void JNICALL method_entry(jvmtiEnv*, JNIEnv*, jthread thread, jmethodID method) {
  g_mode->method_entry(thread, method, time_stamp());
}

void JNICALL vm_death(jvmtiEnv*, JNIEnv* jni) {
  g_mode->vm_death(jni);
}

// λ is the interval, unless given: in cycles, by the counter's rate so far.
AgentOptions with_lambda(AgentOptions options) {
  if (options.antibias.lambda > 0) return options;
  const std::uint64_t ns = monotonic_ns(), tsc = time_stamp();
  usleep(1000);
  const double rate = static_cast<double>(time_stamp() - tsc) / static_cast<double>(monotonic_ns() - ns);
  options.antibias.lambda = static_cast<double>(options.interval_ns) * rate;
  return options;
}

// What it takes to read the time-stamp counter when a call is made and again when it is told. The least of several
// tries: something else may come in between.
double time_of_stamps_ns() {
  constexpr int kTries = 5, kCalls = 200;
  std::uint64_t least = ~std::uint64_t{0};
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t began = monotonic_ns();
    for (int call = 0; call < kCalls; ++call) {
      // Not to be left out, though nobody asks what it was.
      const volatile std::uint64_t made = time_stamp(), told = time_stamp();
      static_cast<void>(made);
      static_cast<void>(told);
    }
    least = std::min(least, monotonic_ns() - began);
  }
  return static_cast<double>(least) / kCalls;
}

constexpr std::array kEvents = {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_THREAD_START, JVMTI_EVENT_THREAD_END,
                                JVMTI_EVENT_VM_DEATH};

}  // namespace

CbsMode::CbsMode(jvmtiEnv* jvmti, const AgentOptions& options)
    : jvmti_(jvmti),
      options_(with_lambda(options)),
      threads_(*this, options.samples, options.stride, options.seed),
      watcher_(jvmti),
      recording_(options_),
      interval_ns_(options.interval_ns) {}

// --- start and end ---

std::string CbsMode::load(const AgentOptions&) {
  g_mode = this;
  process_ = getpid();
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_method_entry_events = 1;
  capabilities.can_get_thread_cpu_time = 1;
  if (jvmti_->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return "this JVM tells no agent of calls (JVMTI's MethodEntry)";
  }
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = agent::vm_init;
  callbacks.ThreadStart = agent::thread_start;
  callbacks.ThreadEnd = agent::thread_end;
  callbacks.MethodEntry = agent::method_entry;
  callbacks.VMDeath = agent::vm_death;
  if (jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return "callbacks were refused";
  for (const jvmtiEvent event : kEvents) {
    if (jvmti_->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return "an event was refused";
    }
  }
  return "";
}

void CbsMode::attached(JNIEnv*, const AgentOptions& options) {
  if (options.action == AttachAction::kStatus) return tell(options.status, "recording", options_.mode);
  tell(options.status, "error",
       "mode " + options_.mode + " records this JVM from its start, and writes its profile when the JVM ends");
}

void CbsMode::vm_init(JNIEnv* jni, jthread thread) {
  start_ns_ = monotonic_ns();
  start_tsc_ = time_stamp();
  stamps_of_call_ns_ = time_of_stamps_ns();
  if (const double cycles = cost_of_call(jni, thread); cycles > 0) recording_.set_cost_of_call(cycles);
  is_recording_ = true;
  thread_start(jni, thread);
  // It sleeps until the next look is due: soon while windows are open, for they may have to be taken back.
  const auto pause = [this] {
    constexpr std::uint64_t kWhileOpenNs = 1'000'000, kLongestNs = 20'000'000, kPart = 4;
    const std::uint64_t ns =
        open_windows_ > 0 ? kWhileOpenNs : std::clamp(interval_ns_ / kPart, kWhileOpenNs, kLongestNs);
    return std::chrono::milliseconds(ns / kWhileOpenNs);
  };
  const std::string problem = watcher_.start(
      jni, [this](JNIEnv* own) { step(own); }, pause);
  if (problem.empty()) return;
  is_recording_ = false;
  for (const jvmtiEvent event : kEvents) jvmti_->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  tell(options_.status, "error", problem + "; the program runs without being profiled");
}

void CbsMode::vm_death(JNIEnv* jni) {
  if (getpid() != process_ || !is_recording_.exchange(false)) return;
  watcher_.stop();
  threads_.close();
  collect(jni, monotonic_ns());
  profile::ProfileData data = recording_.to_profile();
  add_facts(data);
  tell_outcome(options_.status, save_profile(std::move(data), options_.output), profile::kSamples);
}

// In cycles, by calls of a small method, which this thread tells us of as it will those of windows. 0 if
// that cannot be seen. The least of several tries, since something else may come in between; and of the difference of
// two of them, which is free of how they begin and end.
double CbsMode::cost_of_call(JNIEnv* jni, jthread thread) {
  const std::span<const std::uint8_t> bytes = embedded::calls_class();
  const jclass cls = jni->DefineClass("java/lang/BursarCalls", nullptr, reinterpret_cast<const jbyte*>(bytes.data()),
                                      static_cast<jsize>(bytes.size()));
  const jmethodID make = cls != nullptr ? jni->GetStaticMethodID(cls, "make", "(I)V") : nullptr;
  if (make == nullptr) {
    jni->ExceptionClear();
    return 0;
  }
  constexpr int kTries = 15, kFew = 50, kMany = 250;
  // A program's calls are not as easily predicted as these (docs/measurements.md).
  constexpr double kLessPredicted = 4.0 / 3;
  constexpr double kUnknown = std::numeric_limits<double>::infinity();
  const auto cycles_of = [&](int calls) {
    double least = kUnknown;
    for (int i = 0; i < kTries; ++i) {
      CallWatch watch(1, 1);
      CallWatch::Beginning beginning;
      beginning.passed_by = 2 * kMany;  // no samples
      watch.begin(beginning);
      jvmti_->SetThreadLocalStorage(thread, &watch);
      tells_calls(thread, true);
      jni->CallStaticVoidMethod(cls, make, calls);
      tells_calls(thread, false);
      jvmti_->SetThreadLocalStorage(thread, nullptr);
      watch.take_back(time_stamp(), 0);
      if (const CallWindow* const window = watch.ended(); window != nullptr && window->calls > 0)
        least = std::min(least, static_cast<double>(window->cycles));
    }
    return least;
  };
  const double few = cycles_of(kFew), many = cycles_of(kMany);
  jni->DeleteLocalRef(cls);
  return few < many && many < kUnknown ? kLessPredicted * (many - few) / (kMany - kFew) : 0;
}

// --- threads ---

void CbsMode::thread_start(JNIEnv* jni, jthread thread) {
  void* watch = nullptr;
  if (!is_recording_ || jvmti_->GetThreadLocalStorage(thread, &watch) != JVMTI_ERROR_NONE || watch != nullptr) return;
  const auto kept = static_cast<jthread>(jni->NewGlobalRef(thread));
  if (kept == nullptr) return;
  ++threads_seen_;
  std::unique_ptr<CallCounter> counter;
  if (options_.density != DensitySource::kSoftware) counter = open_call_counter(own_thread_id());
  if (counter != nullptr) ++counters_;
  jvmti_->SetThreadLocalStorage(thread, threads_.add(kept, name_of_thread(jvmti_, jni, thread), std::move(counter)));
}

void CbsMode::thread_end() {
  void* watch = nullptr;
  if (jvmti_->GetThreadLocalStorage(nullptr, &watch) != JVMTI_ERROR_NONE || watch == nullptr) return;
  jvmti_->SetThreadLocalStorage(nullptr, nullptr);
  threads_.remove(static_cast<CallWatch*>(watch));
}

void CbsMode::method_entry(jthread thread, jmethodID method, std::uint64_t tsc) {
  void* own = nullptr;
  if (jvmti_->GetThreadLocalStorage(nullptr, &own) != JVMTI_ERROR_NONE || own == nullptr) return;
  auto& watch = *static_cast<CallWatch*>(own);
  const CallWatch::Look look = watch.called(tsc, own_cpu_ns);
  if (look == CallWatch::Look::kNothing) return;
  if (look == CallWatch::Look::kSample) {
    jvmtiFrameInfo frames[2];
    jint count = 0;
    CallSample sample{.callee = method};
    if (jvmti_->GetStackTrace(nullptr, 0, 2, frames, &count) == JVMTI_ERROR_NONE && count == 2) {
      sample.caller = frames[1].method;
      sample.bci = frames[1].location;
    }
    watch.sample(sample);
    if (watch.is_full()) tells_calls(thread, false);
  }
  watch.left(time_stamp(), own_cpu_ns);
}

std::optional<std::uint64_t> CbsMode::cpu_ns(jthread thread) {
  jlong ns = 0;
  if (jvmti_->GetThreadCpuTime(thread, &ns) != JVMTI_ERROR_NONE || ns < 0) return std::nullopt;
  return static_cast<std::uint64_t>(ns);
}

bool CbsMode::runs_java(jthread thread) {
  jint state = 0;
  if (jvmti_->GetThreadState(thread, &state) != JVMTI_ERROR_NONE) return false;
  return (state & JVMTI_THREAD_STATE_RUNNABLE) != 0 && (state & JVMTI_THREAD_STATE_IN_NATIVE) == 0;
}

bool CbsMode::tells_calls(jthread thread, bool wanted) {
  return jvmti_->SetEventNotificationMode(wanted ? JVMTI_ENABLE : JVMTI_DISABLE, JVMTI_EVENT_METHOD_ENTRY, thread) ==
         JVMTI_ERROR_NONE;
}

// --- the watcher ---

void CbsMode::keep_time(std::uint64_t now_ns) {
  const std::uint64_t tsc = time_stamp();
  if (now_ns <= start_ns_) return;
  cycles_per_ns_ = static_cast<double>(tsc - start_tsc_) / static_cast<double>(now_ns - start_ns_);
}

void CbsMode::tune_interval(std::uint64_t now_ns) {
  if (!options_.tunes_interval) return;
  const schemes::Pace pace = pace_.ran(process_cpu_ns(), threads_.counts().window_cpu_ns, 0);
  const std::uint64_t interval = options_.interval_ns * schemes::weight_at(pace);
  if (interval == interval_ns_ && !intervals_.value.empty()) return;
  interval_ns_ = interval;
  intervals_.time_ns.push_back(now_ns - start_ns_);
  intervals_.thread.push_back(profile::kNone);
  intervals_.value.push_back(static_cast<double>(interval));
}

void CbsMode::step(JNIEnv* jni) {
  ++steps_;
  const std::uint64_t now_ns = monotonic_ns();
  keep_time(now_ns);
  collect(jni, now_ns);
  tune_interval(now_ns);
  open_windows_ = threads_.begin(now_ns, interval_ns_, cycles_per_ns_);
}

void CbsMode::collect(JNIEnv* jni, std::uint64_t now_ns) {
  const auto namer = [&](void* method) { return name_method(jvmti_, jni, static_cast<jmethodID>(method)); };
  threads_.collect(
      now_ns,
      [&](const WatchedThreads::Ended& ended) {
        recording_.add({.window = ended.window,
                        .time_ns = ended.window.time_ns - start_ns_,
                        .thread = ended.thread,
                        .calls = ended.calls,
                        .cycles_per_ns = cycles_per_ns_},
                       namer);
      },
      [&](jthread thread) { jni->DeleteGlobalRef(thread); });
}

void CbsMode::add_facts(profile::ProfileData& data) const {
  data.info["mode"] = {kCbsMode};
  data.info["jvm"] = {name_of_vm(jvmti_)};
  data.info["seed"] = {std::to_string(options_.seed)};
  data.info["interval_ns"] = {options_.tunes_interval ? "auto" : std::to_string(options_.interval_ns)};
  data.info["samples"] = {std::to_string(options_.samples)};
  data.info["stride"] = {std::to_string(options_.stride)};
  data.info["density"] = {counters_ > 0 ? "hardware" : "software"};
  if (!options_.command.empty()) data.info["command"] = {options_.command};
  if (!intervals_.value.empty()) data.series.push_back(intervals_);
  const WatchedThreads::Counts& counts = threads_.counts();
  data.counters["threads"] = threads_seen_;
  data.counters["windows"] = counts.windows;
  data.counters["windows_taken_back"] = counts.taken_back;
  data.counters["threads_not_running"] = counts.not_running;
  data.counters["windows_cpu_ns"] = counts.window_cpu_ns;
  data.counters["watcher_cpu_ns"] = watcher_.cpu_ns();
  data.counters["calls_told"] = counts.calls_told;
  data.counters["density_cpu_ns"] =
      static_cast<std::uint64_t>(static_cast<double>(counts.calls_told) * stamps_of_call_ns_);
  data.counters["profiler_cpu_ns"] = counts.window_cpu_ns + watcher_.cpu_ns();
  data.counters["process_cpu_ns"] = process_cpu_ns();
}

}  // namespace bursar::agent
