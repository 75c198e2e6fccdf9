#include "agent/thread_dumps.h"

#include <jni.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <string>

#include "agent/added_members.h"

namespace bursar::agent {
namespace {

constexpr const char* kTraceType = "[Ljava/lang/StackTraceElement;";
constexpr const char* kStringType = "Ljava/lang/String;";
constexpr const char* kMonitorsType = "[Ljava/lang/management/MonitorInfo;";
constexpr const char* kLocksType = "[Ljdk/internal/vm/ThreadSnapshot$ThreadLock;";

// At least as many as we can have on top of a stack: a few methods of the class library that the VM calls because of
// us, and in them a probe with the native that it calls.
constexpr jint kMostProbeFrames = 16;

std::string text_field(JNIEnv* jni, jobject object, const char* name) {
  const jfieldID field = jni->GetFieldID(jni->GetObjectClass(object), name, kStringType);
  const auto value = field != nullptr ? static_cast<jstring>(jni->GetObjectField(object, field)) : nullptr;
  if (value == nullptr) return "";
  const char* const chars = jni->GetStringUTFChars(value, nullptr);
  if (chars == nullptr) return "";
  std::string text = chars;
  jni->ReleaseStringUTFChars(value, chars);
  return text;
}

bool is_probe_frame(std::string_view class_name, std::string_view method) {
  std::string internal_name(class_name);
  std::replace(internal_name.begin(), internal_name.end(), '.', '/');
  if (is_ours(internal_name)) return true;
  if (class_name == "jdk.internal.module.Modules") return method == "transformedByAgent";
  if (class_name != "java.lang.Object") return false;
  return method == kCountPath.name || method == kSamplePath.name ||
         std::any_of(kProbeMethods.begin(), kProbeMethods.end(),
                     [&](const ProbeMethod& probe) { return probe.method.name == method; });
}

// Natives that probes call. Where the VM leaves out hidden frames itself, these stay on top: nobody can tell then
// whether a probe called them, but a moment before, the program stood where the trace ends without them.
bool is_native_of_probes(std::string_view class_name, std::string_view method) {
  if (class_name == "java.lang.Thread") return method == "currentThread";
  return class_name == "jdk.internal.misc.Unsafe" && (method == "getLong" || method == "getInt" || method == "putLong");
}

enum class HiddenFrames : bool { kShown, kLeftOut };

// How many frames on top of the trace are a probe's.
jsize probe_frames(JNIEnv* jni, jobjectArray trace, HiddenFrames hidden) {
  constexpr jint kLocals = 16;
  const jsize length = trace != nullptr ? std::min<jsize>(jni->GetArrayLength(trace), kMostProbeFrames) : 0;
  jsize ours = 0;
  for (jsize i = 0; i < length; ++i) {
    if (jni->PushLocalFrame(kLocals) != JNI_OK) break;
    const jobject frame = jni->GetObjectArrayElement(trace, i);
    if (frame != nullptr) {
      const std::string class_name = text_field(jni, frame, "declaringClass");
      const std::string method = text_field(jni, frame, "methodName");
      const bool may_be = hidden == HiddenFrames::kLeftOut && ours == i && is_native_of_probes(class_name, method);
      if (may_be || is_probe_frame(class_name, method)) ours = i + 1;
    }
    jni->PopLocalFrame(nullptr);
  }
  return ours;
}

// The trace from `first` on, of at most `most` frames.
jobjectArray part_of(JNIEnv* jni, jobjectArray trace, jsize first, jsize most) {
  const jsize length = trace != nullptr ? jni->GetArrayLength(trace) : 0;
  const jsize kept = std::min(length - first, most);
  if (kept == length) return trace;
  const jclass element = jni->GetObjectClass(jni->GetObjectArrayElement(trace, 0));
  const jobjectArray part = jni->NewObjectArray(kept, element, nullptr);
  if (part == nullptr) return trace;
  for (jsize i = 0; i < kept; ++i) {
    const jobject frame = jni->GetObjectArrayElement(trace, first + i);
    jni->SetObjectArrayElement(part, i, frame);
    jni->DeleteLocalRef(frame);
  }
  return part;
}

constexpr jsize kAll = std::numeric_limits<jsize>::max();

jobjectArray without_probes(JNIEnv* jni, jobjectArray trace, HiddenFrames hidden) {
  return part_of(jni, trace, probe_frames(jni, trace, hidden), kAll);
}

// Locks say at which depth of the trace they were taken.
void shift_depths(JNIEnv* jni, jobject holder, const char* locks_name, const char* locks_type, const char* depth_name,
                  jint by) {
  const jfieldID locks_field = jni->GetFieldID(jni->GetObjectClass(holder), locks_name, locks_type);
  const auto locks =
      locks_field != nullptr ? static_cast<jobjectArray>(jni->GetObjectField(holder, locks_field)) : nullptr;
  if (locks == nullptr) return;
  for (jsize i = 0; i < jni->GetArrayLength(locks); ++i) {
    const jobject lock = jni->GetObjectArrayElement(locks, i);
    if (lock == nullptr) continue;
    const jfieldID depth_field = jni->GetFieldID(jni->GetObjectClass(lock), depth_name, "I");
    if (depth_field == nullptr) return;
    if (const jint depth = jni->GetIntField(lock, depth_field); depth >= by)
      jni->SetIntField(lock, depth_field, depth - by);
    jni->DeleteLocalRef(lock);
  }
}

// An object with a field stackTrace; returns how many frames of ours it had.
jsize clean_trace_of(JNIEnv* jni, jobject holder, HiddenFrames hidden, jsize most) {
  const jfieldID field = jni->GetFieldID(jni->GetObjectClass(holder), "stackTrace", kTraceType);
  if (field == nullptr) return 0;
  const auto trace = static_cast<jobjectArray>(jni->GetObjectField(holder, field));
  const jsize ours = probe_frames(jni, trace, hidden);
  jni->SetObjectField(holder, field, part_of(jni, trace, ours, most));
  return ours;
}

void clean_thread_info(JNIEnv* jni, jobject info, jsize most) {
  const jsize ours = clean_trace_of(jni, info, HiddenFrames::kShown, most);
  if (ours == 0) return;
  shift_depths(jni, info, "lockedMonitors", kMonitorsType, "stackDepth", ours);
  // Of the natives it stood in, none was the program's.
  const jfieldID in_native = jni->GetFieldID(jni->GetObjectClass(info), "inNative", "Z");
  if (in_native != nullptr) jni->SetBooleanField(info, in_native, JNI_FALSE);
}

// Nothing that we could not clean may reach the program as an exception.
void clean_thread_infos(JNIEnv* jni, jobjectArray infos, jint most) {
  constexpr jint kLocals = 64;
  if (infos == nullptr || jni->ExceptionCheck() != JNI_FALSE) return;
  for (jsize i = 0; i < jni->GetArrayLength(infos); ++i) {
    if (jni->PushLocalFrame(kLocals) != JNI_OK) break;
    const jobject info = jni->GetObjectArrayElement(infos, i);
    if (info != nullptr) clean_thread_info(jni, info, most);
    jni->PopLocalFrame(nullptr);
  }
  jni->ExceptionClear();
}

bool is_limit(jint depth) {
  return depth > 0 && depth < kAll - kMostProbeFrames;
}

// So many frames to ask for, and to show.
jint asked(jint depth) {
  return is_limit(depth) ? depth + kMostProbeFrames : depth;
}
jint shown(jint depth) {
  return is_limit(depth) ? depth : kAll;
}

// The VM's own, kept when it was replaced.
std::atomic<void*> g_dump_threads, g_get_stack_trace, g_create_snapshot, g_get_thread_info, g_dump_thread_infos;

template <class Function>
Function original(const std::atomic<void*>& kept) {
  return reinterpret_cast<Function>(kept.load(std::memory_order_acquire));
}

// Runs in: app thread, all of these

jobjectArray JNICALL dump_threads(JNIEnv* jni, jclass cls, jobjectArray threads) {
  const jobjectArray traces = original<decltype(&dump_threads)>(g_dump_threads)(jni, cls, threads);
  if (traces == nullptr || jni->ExceptionCheck() != JNI_FALSE) return traces;
  constexpr jint kLocals = 16;
  for (jsize i = 0; i < jni->GetArrayLength(traces); ++i) {
    if (jni->PushLocalFrame(kLocals) != JNI_OK) break;
    const auto trace = static_cast<jobjectArray>(jni->GetObjectArrayElement(traces, i));
    jni->SetObjectArrayElement(traces, i, without_probes(jni, trace, HiddenFrames::kShown));
    jni->PopLocalFrame(nullptr);
  }
  jni->ExceptionClear();
  return traces;
}

jobject JNICALL get_stack_trace(JNIEnv* jni, jobject thread) {
  const jobject trace = original<decltype(&get_stack_trace)>(g_get_stack_trace)(jni, thread);
  if (trace == nullptr || jni->ExceptionCheck() != JNI_FALSE) return trace;
  const jobjectArray cleaned = without_probes(jni, static_cast<jobjectArray>(trace), HiddenFrames::kLeftOut);
  jni->ExceptionClear();
  return cleaned;
}

jobject JNICALL create_snapshot(JNIEnv* jni, jclass cls, jobject thread) {
  const jobject snapshot = original<decltype(&create_snapshot)>(g_create_snapshot)(jni, cls, thread);
  if (snapshot == nullptr || jni->ExceptionCheck() != JNI_FALSE) return snapshot;
  const jsize ours = clean_trace_of(jni, snapshot, HiddenFrames::kLeftOut, kAll);
  if (ours != 0) shift_depths(jni, snapshot, "locks", kLocksType, "depth", ours);
  jni->ExceptionClear();
  return snapshot;
}

void JNICALL get_thread_info(JNIEnv* jni, jclass cls, jlongArray ids, jint most, jobjectArray infos) {
  original<decltype(&get_thread_info)>(g_get_thread_info)(jni, cls, ids, asked(most), infos);
  clean_thread_infos(jni, infos, shown(most));
}

jobjectArray JNICALL dump_thread_infos(JNIEnv* jni, jclass cls, jlongArray ids, jboolean monitors,
                                       jboolean synchronizers, jint most) {
  const jobjectArray infos =
      original<decltype(&dump_thread_infos)>(g_dump_thread_infos)(jni, cls, ids, monitors, synchronizers, asked(most));
  clean_thread_infos(jni, infos, shown(most));
  return infos;
}

struct Replaced {
  const char* class_name;
  const char* method;
  void* ours;
  std::atomic<void*>* original;
};

const std::array kReplaced = {
    Replaced{"java/lang/Thread", "dumpThreads", reinterpret_cast<void*>(&dump_threads), &g_dump_threads},
    Replaced{"java/lang/Thread", "getStackTrace0", reinterpret_cast<void*>(&get_stack_trace), &g_get_stack_trace},
    Replaced{"jdk/internal/vm/ThreadSnapshot", "create", reinterpret_cast<void*>(&create_snapshot), &g_create_snapshot},
    Replaced{"sun/management/ThreadImpl", "getThreadInfo1", reinterpret_cast<void*>(&get_thread_info),
             &g_get_thread_info},
    Replaced{"sun/management/ThreadImpl", "dumpThreads0", reinterpret_cast<void*>(&dump_thread_infos),
             &g_dump_thread_infos},
};

}  // namespace

void* replacement_of_native(std::string_view class_name, std::string_view method_name, void* original) {
  for (const Replaced& replaced : kReplaced) {
    if (class_name != replaced.class_name || method_name != replaced.method) continue;
    if (original != replaced.ours) replaced.original->store(original, std::memory_order_release);
    return replaced.ours;
  }
  return original;
}

}  // namespace bursar::agent
