// SampleMode: mode sample: at every tick each running thread walks its own stack (docs/sample.md).
//
// Four parties: the ticker (TickThread) sends signals; the threads of the program answer in their handlers and put down
// what they find (WalkExchange); the drainer makes samples of it (SampleRecording); whoever starts, stops or saves,
// under control_lock_. Lock order: control_lock_, drain_lock_, that of the threads.
#pragma once

#include <jvmti.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "agent/activation_walker.h"
#include "agent/drainer.h"
#include "agent/mode.h"
#include "agent/sample_recording.h"
#include "agent/sample_totals.h"
#include "agent/sampled_threads.h"
#include "agent/sampling_signal.h"
#include "agent/save_profile.h"
#include "agent/tick_thread.h"
#include "agent/tuned_interval.h"
#include "agent/walk_exchange.h"

namespace bursar::agent {

class SampleMode : public Mode {
 public:
  SampleMode(JavaVM* vm, jvmtiEnv* jvmti);

  std::string load(const AgentOptions& options) override;
  void attached(JNIEnv* jni, const AgentOptions& options) override;

  // What the VM calls.
  void vm_init(JNIEnv* jni);
  void class_prepared(jclass cls);
  void thread_start();
  void thread_end(JNIEnv* jni, jthread thread);
  void vm_death(JNIEnv* jni);
  // Runs in: signal
  void walk(WalkExchange::Ticket ticket, void* context);

 private:
  // Both return what failed, or nothing.
  std::string prepare();
  std::string begin(JNIEnv* jni, const AgentOptions& options);
  void enable(jvmtiEventMode mode);
  void tick(std::uint64_t now_ns);
  void drain(JNIEnv* jni);
  void end(JNIEnv* jni);

  void start(JNIEnv* jni, const AgentOptions& options);
  void stop(JNIEnv* jni, const AgentOptions& options);
  void tell_status(JNIEnv* jni, const std::string& status);
  SavedProfile save(JNIEnv* jni, const std::string& output);
  core::SampleTree::ThreadNames names_of_living(JNIEnv* jni);
  void add_facts(profile::ProfileData& data) const;
  std::uint64_t own_time_ns() const;
  TunedInterval::Cost cost() const;

  JavaVM* vm_;
  jvmtiEnv* jvmti_;
  ActivationWalker walker_;
  bool prepared_ = false;

  std::mutex control_lock_;
  AgentOptions options_;       // of the recording
  bool is_recording_ = false;  // or about to, once the VM is initialised
  int process_ = 0;            // a child that was forked has our memory but not our threads
  std::uint64_t start_ns_ = 0, start_process_cpu_ns_ = 0;
  // From the address of a thread in the VM to that of its JNI environment; 0 if not known.
  std::int64_t env_offset_ = 0;

  SamplingSignal signal_;
  WalkExchange exchange_;
  SampledThreads threads_;
  TickThread ticker_;
  Drainer drainer_;
  std::uint64_t last_drain_ns_ = 0;  // the ticker's
  bool sent_since_drain_ = false;

  std::mutex drain_lock_;
  std::unique_ptr<SampleRecording> recording_;
  std::optional<TunedInterval> interval_;  // unless the interval was given

  SampleTotals totals_;
};

}  // namespace bursar::agent
