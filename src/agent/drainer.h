// Drainer: a thread of the VM's own, hidden from the program, that does something whenever it is woken, or has slept
// enough.
//
// It exists because the tool interface answers only Java threads. RunAgentThread keeps it out of what programs see of
// threads. It ends when stop() says so, in any case before the VM does: an exiting VM waits for threads in native code.
#pragma once

#include <jvmti.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>

namespace bursar::agent {

class Drainer {
 public:
  explicit Drainer(jvmtiEnv* jvmti) : jvmti_(jvmti) {}

  // Empty, or why there is no such thread.
  // Runs in: a Java thread, once the VM is initialised
  // `pause`: how long it may sleep, asked for each time; it sleeps until it is woken if there is none.
  std::string start(JNIEnv* jni, std::function<void(JNIEnv*)> work,
                    std::function<std::chrono::milliseconds()> pause = {});
  // Runs in: any thread that may block
  void wake();
  // Returns when no work is under way and none will be done.
  // Runs in: a Java thread in native code
  void stop();

  // Of this thread, when it last worked.
  std::uint64_t cpu_ns() const { return cpu_ns_.load(std::memory_order_relaxed); }

 private:
  static void JNICALL run(jvmtiEnv* jvmti, JNIEnv* jni, void* self);
  void loop(JNIEnv* jni);

  jvmtiEnv* jvmti_;
  std::function<void(JNIEnv*)> work_;
  std::function<std::chrono::milliseconds()> pause_;
  std::mutex lock_;
  std::condition_variable changed_;
  bool running_ = false, wanted_ = false, ended_ = false;
  std::atomic<std::uint64_t> cpu_ns_ = 0;
};

}  // namespace bursar::agent
