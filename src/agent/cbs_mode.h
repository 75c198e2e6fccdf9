// CbsMode: mode cbs: (caller, site, callee) from counter-based sampling (docs/cbs.md): the side towards the VM.
//
// The watcher, a thread of our own in the VM, asks threads to watch their calls for a while: the VM then runs them in
// its interpreter, which tells every call (JVMTI's MethodEntry for one thread). No class is changed.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "agent/call_recording.h"
#include "agent/drainer.h"
#include "agent/mode.h"
#include "agent/save_profile.h"
#include "agent/watched_threads.h"
#include "schemes/burst_pace.h"

namespace bursar::agent {

class CbsMode : public Mode, private ThreadQueries {
 public:
  CbsMode(jvmtiEnv* jvmti, const AgentOptions& options);

  std::string load(const AgentOptions& options) override;
  void attached(JNIEnv* jni, const AgentOptions& options) override;

  // What the VM calls.
  void vm_init(JNIEnv* jni, jthread thread);
  void thread_start(JNIEnv* jni, jthread thread);
  void thread_end();
  // Runs in: app thread, in its interpreter
  void method_entry(jthread thread, jmethodID method, std::uint64_t tsc);
  void vm_death(JNIEnv* jni);

 private:
  std::optional<std::uint64_t> cpu_ns(jthread thread) override;
  bool runs_java(jthread thread) override;
  bool tells_calls(jthread thread, bool wanted) override;

  void step(JNIEnv* jni);
  void collect(JNIEnv* jni, std::uint64_t now_ns);
  void keep_time(std::uint64_t now_ns);
  void tune_interval(std::uint64_t now_ns);
  void add_facts(profile::ProfileData& data) const;
  double cost_of_call(JNIEnv* jni, jthread thread);

  jvmtiEnv* jvmti_;
  AgentOptions options_;
  WatchedThreads threads_;
  Drainer watcher_;
  std::atomic<bool> is_recording_ = false;
  int process_ = 0;  // a child that was forked has our memory but not our threads
  std::uint64_t start_ns_ = 0, start_tsc_ = 0;
  double stamps_of_call_ns_ = 0;  // what the time stamps of a call take
  std::atomic<std::uint64_t> threads_seen_ = 0, counters_ = 0;

  // The watcher's.
  double cycles_per_ns_ = 0;
  CallRecording recording_;
  // Windows cost about as much again behind their end, when what the VM has thrown away is compiled code again.
  schemes::BurstPace pace_{{.first_ns = 1'000'000'000, .stack_ns = 0, .part = 0.02}};
  std::uint64_t interval_ns_;
  profile::Series intervals_{.name = "sampling_interval", .unit = "ns", .time_ns = {}, .thread = {}, .value = {}};
  std::atomic<std::size_t> open_windows_ = 0;
  std::uint64_t steps_ = 0;
};

}  // namespace bursar::agent
