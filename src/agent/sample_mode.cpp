#include "agent/sample_mode.h"

#include <unistd.h>

#include <array>

#include "agent/boot_class.h"
#include "agent/clocks.h"
#include "agent/method_namer.h"
#include "agent/status_file.h"
#include "agent/vm_facts.h"

namespace bursar::agent {
namespace {

// Signals and the VM's events have no other way to find it; set once, before the first of either.
SampleMode* g_mode = nullptr;

constexpr std::uint64_t kLongestUndrainedNs = 200'000'000;

// A thread that was interrupted in its handler may not run for a while.
constexpr int kLongestWalkMs = 50;

constexpr std::array kEvents = {JVMTI_EVENT_CLASS_LOAD, JVMTI_EVENT_CLASS_PREPARE, JVMTI_EVENT_THREAD_START,
                                JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH};

void JNICALL vm_init(jvmtiEnv*, JNIEnv* jni, jthread) {
  g_mode->vm_init(jni);
}

// HotSpot walks no stacks unless somebody wants this event.
void JNICALL class_loaded(jvmtiEnv*, JNIEnv*, jthread, jclass) {}

// Runs in: app thread
void JNICALL class_prepared(jvmtiEnv*, JNIEnv*, jthread, jclass cls) {
  g_mode->class_prepared(cls);
}

// Runs in: app thread, the one that starts
void JNICALL thread_start(jvmtiEnv*, JNIEnv*, jthread) {
  g_mode->thread_start();
}

// Runs in: app thread, the one that ends
void JNICALL thread_end(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  g_mode->thread_end(jni, thread);
}

void JNICALL vm_death(jvmtiEnv*, JNIEnv* jni) {
  g_mode->vm_death(jni);
}

// Runs in: signal
void on_signal(std::uint64_t ticket, void* context) {
  g_mode->walk(ticket, context);
}

std::uint64_t count_threads(jvmtiEnv* jvmti, JNIEnv* jni) {
  jint count = 0;
  jthread* threads = nullptr;
  if (jvmti->GetAllThreads(&count, &threads) != JVMTI_ERROR_NONE) return 0;
  for (jint i = 0; i < count; ++i) jni->DeleteLocalRef(threads[i]);
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
  return static_cast<std::uint64_t>(count);
}

schemes::Options scheme_of(const AgentOptions& options) {
  return {.kind = schemes::Kind::kStackWalk, .interval_ns = options.interval_ns, .seed = options.seed};
}

}  // namespace

SampleMode::SampleMode(JavaVM* vm, jvmtiEnv* jvmti)
    : vm_(vm), jvmti_(jvmti), threads_(exchange_, thread_cpu_ns), drainer_(jvmti) {}

// --- start and end ---

std::string SampleMode::prepare() {
  if (prepared_) return "";
  g_mode = this;
  process_ = getpid();
  if (std::string problem = walker_.prepare(vm_); !problem.empty()) return problem;
  if (!exchange_.map()) return "no memory";
  jvmtiEventCallbacks callbacks{};
  callbacks.VMInit = agent::vm_init;
  callbacks.ClassLoad = class_loaded;
  callbacks.ClassPrepare = agent::class_prepared;
  callbacks.ThreadStart = agent::thread_start;
  callbacks.ThreadEnd = agent::thread_end;
  callbacks.VMDeath = agent::vm_death;
  if (jvmti_->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return "callbacks were refused";
  prepared_ = true;
  return "";
}

void SampleMode::enable(jvmtiEventMode mode) {
  for (const jvmtiEvent event : kEvents) jvmti_->SetEventNotificationMode(mode, event, nullptr);
}

std::string SampleMode::load(const AgentOptions& options) {
  const std::lock_guard guard(control_lock_);
  if (std::string problem = prepare(); !problem.empty()) return problem;
  if (jvmti_->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_VM_INIT, nullptr) != JVMTI_ERROR_NONE) {
    return "an event was refused";
  }
  options_ = options;
  totals_.clear();
  // Threads and classes may come before the VM is initialised.
  threads_.reset(scheme_of(options_), options_.clock);
  enable(JVMTI_ENABLE);
  is_recording_ = true;
  return "";
}

void SampleMode::vm_init(JNIEnv* jni) {
  const std::lock_guard guard(control_lock_);
  thread_start();  // perhaps the VM has said so
  const std::string problem = begin(jni, options_);
  if (problem.empty()) return;
  is_recording_ = false;
  enable(JVMTI_DISABLE);
  tell(options_.status, "error", problem + "; the program runs without being profiled");
}

// The threads are known.
std::string SampleMode::begin(JNIEnv* jni, const AgentOptions& options) {
  if (!signal_.install(on_signal)) return "the program has handlers for all real-time signals; one must be free";
  const std::uint64_t before = own_cpu_ns();
  options_ = options;
  start_ns_ = monotonic_ns();
  env_offset_ = env_offset(jvmti_, jni);
  {
    const std::lock_guard guard(drain_lock_);
    recording_ = std::make_unique<SampleRecording>(options_);
    interval_.reset();
    if (options_.tunes_interval) interval_.emplace(options_);
  }
  walker_.begin(vm_, release_of_vm(jvmti_), env_offset_, options_.walks);
  make_all_method_ids(jvmti_, jni);
  if (std::string problem = drainer_.start(jni, [this](JNIEnv* own) { drain(own); }); !problem.empty()) return problem;
  sent_since_drain_ = false;
  last_drain_ns_ = start_ns_;
  schemes::Options scheme = scheme_of(options_);
  if (interval_) scheme.interval_ns = interval_->interval_ns();
  if (!ticker_.start(scheme, [this](std::uint64_t now_ns) { tick(now_ns); })) {
    drainer_.stop();
    return "the system has no thread for us";
  }
  totals_.control_cpu_ns += own_cpu_ns() - before;
  const std::lock_guard guard(drain_lock_);
  if (interval_) interval_->begin(cost());
  return "";
}

void SampleMode::end(JNIEnv* jni) {
  const std::uint64_t before = own_cpu_ns();
  ticker_.stop();
  drainer_.stop();
  threads_.withdraw_all();
  for (int ms = 0; exchange_.walking() > 0 && ms < kLongestWalkMs; ++ms) usleep(1000);
  totals_.unfinished = exchange_.walking();
  drain(jni);
  is_recording_ = false;
  totals_.control_cpu_ns += own_cpu_ns() - before;
}

void SampleMode::vm_death(JNIEnv* jni) {
  if (getpid() != process_) return;
  const std::lock_guard guard(control_lock_);
  if (!is_recording_) return;
  end(jni);
  tell_outcome(options_.status, save(jni, options_.output), profile::kSamples);
}

// --- on a running VM ---

void SampleMode::attached(JNIEnv* jni, const AgentOptions& options) {
  const std::lock_guard guard(control_lock_);
  if (options.action == AttachAction::kStatus) return tell_status(jni, options.status);
  if (options.action == AttachAction::kStart) return start(jni, options);
  if (!is_recording_) return tell(options.status, "error", "nothing is being recorded in this JVM");
  stop(jni, options);
}

void SampleMode::start(JNIEnv* jni, const AgentOptions& options) {
  if (is_recording_) {
    return tell(options.status, "error",
                "this JVM is being recorded already; stop that first, or dump what it has so far");
  }
  std::string problem = prepare();
  if (problem.empty()) {
    threads_.reset(scheme_of(options), options.clock);
    totals_.clear();
    exchange_.drain([](const Walk&) {});  // what came too late for the recording before
    exchange_.clear_counts();
    start_process_cpu_ns_ = process_cpu_ns();
    enable(JVMTI_ENABLE);
    // Which of them are the VM's, their first signal will tell.
    for (const pid_t thread : all_thread_ids()) threads_.add(thread);
    totals_.threads += count_threads(jvmti_, jni);
    problem = begin(jni, options);
  }
  if (problem.empty()) {
    is_recording_ = true;
    return tell(options.status, "recording", kSampleMode);
  }
  enable(JVMTI_DISABLE);
  tell(options.status, "error", problem);
}

// Or dumps, and goes on.
void SampleMode::stop(JNIEnv* jni, const AgentOptions& options) {
  const std::string& output = options.names_output ? options.output : options_.output;
  if (options.action == AttachAction::kStop) {
    end(jni);
    enable(JVMTI_DISABLE);
  } else {
    drain(jni);
  }
  tell_outcome(options.status, save(jni, output), profile::kSamples);
}

void SampleMode::tell_status(JNIEnv* jni, const std::string& status) {
  if (!is_recording_) return tell(status, "recording", "nothing");
  drain(jni);
  std::uint64_t samples = 0;
  {
    const std::lock_guard guard(drain_lock_);
    samples = recording_->samples();
  }
  tell(status, "recording", kSampleMode);
  tell(status, "output", options_.output);
  tell(status, "duration_ns", std::to_string(monotonic_ns() - start_ns_));
  tell(status, profile::kSamples, std::to_string(samples));
}

// --- while it records ---

void SampleMode::class_prepared(jclass cls) {
  const std::uint64_t before = own_cpu_ns();
  make_method_ids(jvmti_, cls);
  totals_.classes_cpu_ns += own_cpu_ns() - before;
}

void SampleMode::thread_start() {
  const std::uint64_t before = own_cpu_ns();
  if (threads_.add(own_thread_id())) ++totals_.threads;
  totals_.threads_cpu_ns += own_cpu_ns() - before;
}

void SampleMode::thread_end(JNIEnv* jni, jthread thread) {
  const std::uint64_t before = own_cpu_ns();
  threads_.remove(own_thread_id(), name_of_thread(jvmti_, jni, thread));
  totals_.threads_cpu_ns += own_cpu_ns() - before;
}

void SampleMode::tick(std::uint64_t now_ns) {
  ++totals_.ticks;
  // The program may have taken the signal for itself.
  if (!signal_.keep()) {
    ++totals_.no_signal;
    return;
  }
  const SampledThreads::Tick tick =
      threads_.tick(now_ns, [this](pid_t thread, WalkExchange::Ticket ticket) { return signal_.send(thread, ticket); });
  totals_.signals += tick.sent;
  totals_.no_queue += tick.no_queue;
  totals_.refused += tick.refused;
  totals_.unanswered += tick.unanswered;
  sent_since_drain_ |= tick.sent > 0;
  const bool is_late = sent_since_drain_ && now_ns - last_drain_ns_ >= kLongestUndrainedNs;
  if (!is_late && !exchange_.has_full()) return;
  sent_since_drain_ = false;
  last_drain_ns_ = now_ns;
  drainer_.wake();
}

void SampleMode::walk(WalkExchange::Ticket ticket, void* context) {
  const WalkExchange::Held held = exchange_.begin(ticket);
  if (held.walk == nullptr) return;
  Walk& walk = *held.walk;
  const std::uint64_t before = own_cpu_ns();
  JNIEnv* env = nullptr;
  if (options_.clock == SampleClock::kCpu && was_waiting(context)) {
    walk.outcome = Walk::Outcome::kWaiting;
  } else if (vm_->GetEnv(reinterpret_cast<void**>(&env), JNI_VERSION_10) != JNI_OK || env == nullptr) {
    walk.outcome = Walk::Outcome::kNotJava;
  } else {
    walk.outcome = Walk::Outcome::kStack;
    walk.env = env;
    walker_.walk(env, held.desk, context, walk);
  }
  walk.cpu_ns = own_cpu_ns() - before;
  exchange_.end(held);
}

void SampleMode::drain(JNIEnv* jni) {
  const std::lock_guard guard(drain_lock_);
  const auto namer = [&](void* method) { return name_method(jvmti_, jni, static_cast<jmethodID>(method)); };
  // Before the walks: what an ended thread left is seen below.
  const auto ended = threads_.take_ended();
  exchange_.drain([&](const Walk& walk) {
    totals_.add_handler(walk.cpu_ns);
    switch (walk.outcome) {
      case Walk::Outcome::kWaiting:
        ++totals_.waiting;
        break;
      case Walk::Outcome::kNotJava:
        ++totals_.not_java;
        threads_.forget(walk.thread);
        break;
      case Walk::Outcome::kStack: {
        if (walk.from_caller) ++totals_.from_caller;
        const std::optional<bool> top_was_seen = recording_->add(walk, namer);
        if (interval_) interval_->sample(top_was_seen);
      }
    }
  });
  for (const auto& [number, name] : ended) recording_->close(number, name);
  if (interval_ && interval_->tune(monotonic_ns() - start_ns_, cost())) {
    ticker_.set_interval(interval_->interval_ns());
  }
}

// --- the profile ---

core::SampleTree::ThreadNames SampleMode::names_of_living(JNIEnv* jni) {
  core::SampleTree::ThreadNames names;
  const jclass cls = find_boot_class(jni, "java/lang/Thread");
  const jfieldID address = cls != nullptr ? jni->GetFieldID(cls, "eetop", "J") : nullptr;
  jint count = 0;
  jthread* threads = nullptr;
  if (address != nullptr && env_offset_ != 0 && jvmti_->GetAllThreads(&count, &threads) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < count; ++i) {
      const std::int64_t env = jni->GetLongField(threads[i], address) + env_offset_;
      // Only compared, never followed: the thread may be gone by now.
      const auto known = recording_->threads().find(reinterpret_cast<const void*>(env));  // NOLINT
      if (known != recording_->threads().end()) names[known->second] = name_of_thread(jvmti_, jni, threads[i]);
      jni->DeleteLocalRef(threads[i]);
    }
    jvmti_->Deallocate(reinterpret_cast<unsigned char*>(threads));
  }
  jni->ExceptionClear();
  if (cls != nullptr) jni->DeleteGlobalRef(cls);
  return names;
}

std::uint64_t SampleMode::own_time_ns() const {
  return totals_.handler_cpu_ns + totals_.classes_cpu_ns + totals_.threads_cpu_ns + totals_.control_cpu_ns +
         ticker_.cpu_ns() + drainer_.cpu_ns();
}

TunedInterval::Cost SampleMode::cost() const {
  return {own_time_ns(), process_cpu_ns()};
}

void SampleMode::add_facts(profile::ProfileData& data) const {
  data.info["mode"] = {kSampleMode};
  data.info["jvm"] = {name_of_vm(jvmti_)};
  data.info["seed"] = {std::to_string(options_.seed)};
  data.info["clock"] = {options_.clock == SampleClock::kCpu ? "cpu" : "wall"};
  data.info["interval_ns"] = {options_.tunes_interval ? "auto" : std::to_string(options_.interval_ns)};
  if (!options_.command.empty()) data.info["command"] = {options_.command};
  totals_.add_to(data, exchange_.counts());
  if (ticker_.left_out() > 0) data.dropped["tick-too-late"] = ticker_.left_out();
  data.counters["ticker_cpu_ns"] = ticker_.cpu_ns();
  data.counters["drainer_cpu_ns"] = drainer_.cpu_ns();
  data.counters["profiler_cpu_ns"] = own_time_ns();
  data.counters["process_cpu_ns"] = process_cpu_ns() - start_process_cpu_ns_;
}

SavedProfile SampleMode::save(JNIEnv* jni, const std::string& output) {
  profile::ProfileData data;
  {
    const std::lock_guard guard(drain_lock_);
    data = recording_->to_profile(names_of_living(jni));
    if (interval_) interval_->add_to(data);
  }
  add_facts(data);
  return save_profile(std::move(data), output);
}

}  // namespace bursar::agent
