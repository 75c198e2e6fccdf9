#include "agent/drainer.h"

#include <utility>

#include "agent/boot_class.h"
#include "agent/clocks.h"

namespace bursar::agent {
namespace {

// A java.lang.Thread that nobody has started, in the system's group; null if the VM has none for us.
jthread make_thread(jvmtiEnv* jvmti, JNIEnv* jni) {
  const jclass cls = find_boot_class(jni, "java/lang/Thread");
  jint groups = 0;
  jthreadGroup* group = nullptr;
  if (cls == nullptr || jvmti->GetTopThreadGroups(&groups, &group) != JVMTI_ERROR_NONE || groups == 0) return nullptr;
  const jmethodID constructor = jni->GetMethodID(cls, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V");
  const jstring name = jni->NewStringUTF("bursar drainer");
  jobject thread = nullptr;
  if (constructor != nullptr && name != nullptr) thread = jni->NewObject(cls, constructor, group[0], name);
  if (jni->ExceptionCheck() != JNI_FALSE) {
    jni->ExceptionClear();
    thread = nullptr;
  }
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(group));
  jni->DeleteGlobalRef(cls);
  return thread;
}

}  // namespace

std::string Drainer::start(JNIEnv* jni, std::function<void(JNIEnv*)> work,
                           std::function<std::chrono::milliseconds()> pause) {
  const jthread thread = make_thread(jvmti_, jni);
  if (thread == nullptr) return "the VM gave us no thread";
  work_ = std::move(work);
  pause_ = std::move(pause);
  cpu_ns_ = 0;
  running_ = true;
  wanted_ = ended_ = false;
  const jvmtiError error = jvmti_->RunAgentThread(thread, run, this, JVMTI_THREAD_NORM_PRIORITY);
  jni->DeleteLocalRef(thread);
  if (error == JVMTI_ERROR_NONE) return "";
  running_ = false;
  return "the VM gave us no thread";
}

void Drainer::wake() {
  {
    const std::lock_guard guard(lock_);
    wanted_ = true;
  }
  changed_.notify_all();
}

void Drainer::stop() {
  std::unique_lock guard(lock_);
  ended_ = true;
  changed_.notify_all();
  changed_.wait(guard, [this] { return !running_; });
}

void JNICALL Drainer::run(jvmtiEnv*, JNIEnv* jni, void* self) {
  static_cast<Drainer*>(self)->loop(jni);
}

void Drainer::loop(JNIEnv* jni) {
  std::unique_lock guard(lock_);
  for (;;) {
    const auto is_asked = [this] { return wanted_ || ended_; };
    if (pause_) {
      changed_.wait_for(guard, pause_(), is_asked);
    } else {
      changed_.wait(guard, is_asked);
    }
    if (ended_) break;
    wanted_ = false;
    guard.unlock();
    work_(jni);
    cpu_ns_.store(own_cpu_ns(), std::memory_order_relaxed);
    guard.lock();
  }
  running_ = false;
  changed_.notify_all();
}

}  // namespace bursar::agent
