// The agent's door: what the VM calls, in the order in which it calls it.
//
//   Agent_OnLoad     options, capabilities; from here on every class passes through class_file_load_hook
//   vm_start         before any bytecode: the probe classes are defined
//   vm_init          in mode trace its file is opened; probes wake up
//   native_bound     natives that show other threads' stacks are replaced
//   thread_end       a thread's tree goes into the whole, or what its log holds into the trace
//   vm_death         the profile is written, or the trace comes to its end
#include <jvmti.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "agent/java_bridge.h"
#include "agent/session.h"
#include "agent/thread_dumps.h"

namespace {

using bursar::agent::AgentOptions;
using bursar::agent::JavaBridge;
using bursar::agent::Session;

constexpr int kOldestVersion = 17, kNewestVersion = 25;

struct Agent {
  explicit Agent(jvmtiEnv* env, AgentOptions options) : jvmti(env), session(std::move(options)), bridge(env) {}

  jvmtiEnv* jvmti;
  Session session;
  JavaBridge bridge;
};

// Made in Agent_OnLoad, never freed: probes may run until the process ends.
Agent* g_agent = nullptr;

// One line for `record`, which waits for it, or for a person.
void tell(const std::string& status_path, const char* key, const std::string& text) {
  if (status_path.empty()) {
    if (std::strcmp(key, "error") == 0) std::fprintf(stderr, "bursar: %s\n", text.c_str());
    return;
  }
  if (std::FILE* file = std::fopen(status_path.c_str(), "a"); file != nullptr) {
    std::fprintf(file, "%s=%s\n", key, text.c_str());
    std::fclose(file);
  }
}

void give_up(const std::string& why) {
  tell(g_agent->session.options().status, "error", why + "; the program runs without being profiled");
  for (const jvmtiEvent event : {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_NATIVE_METHOD_BIND,
                                 JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH}) {
    g_agent->jvmti->SetEventNotificationMode(JVMTI_DISABLE, event, nullptr);
  }
}

std::string property(jvmtiEnv* jvmti, const char* name) {
  char* value = nullptr;
  if (jvmti->GetSystemProperty(name, &value) != JVMTI_ERROR_NONE || value == nullptr) return "";
  std::string text = value;
  jvmti->Deallocate(reinterpret_cast<unsigned char*>(value));
  return text;
}

// Runs in: app thread
void JNICALL class_file_load_hook(jvmtiEnv* jvmti, JNIEnv*, jclass, jobject, const char*, jobject, jint length,
                                  const unsigned char* bytes, jint* new_length, unsigned char** new_bytes) {
  const std::vector<std::uint8_t> rewritten =
      g_agent->session.rewriter().rewrite({bytes, static_cast<std::size_t>(length)}, false);
  if (const std::string problem = g_agent->bridge.pass_on_doubt(); !problem.empty()) {
    tell(g_agent->session.options().status, "error", problem);
  }
  if (rewritten.empty()) return;
  unsigned char* copy = nullptr;
  if (jvmti->Allocate(static_cast<jlong>(rewritten.size()), &copy) != JVMTI_ERROR_NONE) return;
  std::memcpy(copy, rewritten.data(), rewritten.size());
  *new_length = static_cast<jint>(rewritten.size());
  *new_bytes = copy;
}

void JNICALL vm_start(jvmtiEnv*, JNIEnv* jni) {
  if (const std::string problem = g_agent->bridge.define(jni, g_agent->session); !problem.empty()) give_up(problem);
}

std::string jvm_name(jvmtiEnv* jvmti) {
  return property(jvmti, "java.vm.name") + " " + property(jvmti, "java.vm.version");
}

void JNICALL vm_init(jvmtiEnv* jvmti, JNIEnv* jni, jthread) {
  if (g_agent->session.traced()) {
    const std::string problem = g_agent->session.begin_trace({{"jvm", jvm_name(jvmti)}});
    if (!problem.empty()) return give_up(problem);
  }
  if (const std::string problem = g_agent->bridge.wake(jni); !problem.empty()) give_up(problem);
}

// Runs in: app thread
void JNICALL native_bound(jvmtiEnv* jvmti, JNIEnv* jni, jthread, jmethodID method, void* address, void** new_address) {
  jclass cls = nullptr;
  char* name = nullptr;
  if (jvmti->GetMethodDeclaringClass(method, &cls) != JVMTI_ERROR_NONE) return;
  if (jvmti->GetMethodName(method, &name, nullptr, nullptr) == JVMTI_ERROR_NONE) {
    *new_address = bursar::agent::replacement_of_native(g_agent->bridge.internal_name(cls), name, address);
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(name));
  }
  jni->DeleteLocalRef(cls);
}

// Runs in: app thread, the one that ends
void JNICALL thread_end(jvmtiEnv*, JNIEnv* jni, jthread thread) {
  bursar::core::ContextTree* const tree = g_agent->bridge.tree_of(jni, thread);
  if (tree == nullptr || g_agent->bridge.is_virtual(jni, thread)) return;
  const std::string name = g_agent->bridge.name_of(jni, thread);
  const std::uint64_t log = g_agent->bridge.log_of(jni, thread);
  g_agent->bridge.detach_tree(jni, thread);
  g_agent->session.close_tree(tree, name, log);
}

void JNICALL vm_death(jvmtiEnv* jvmti, JNIEnv* jni) {
  Session::ThreadNames names;
  std::vector<bursar::agent::Tracer::OpenLog> logs;
  jint count = 0;
  jthread* threads = nullptr;
  if (jvmti->GetAllThreads(&count, &threads) == JVMTI_ERROR_NONE) {
    for (jint i = 0; i < count; ++i) {
      if (auto* tree = g_agent->bridge.tree_of(jni, threads[i])) names[tree] = g_agent->bridge.name_of(jni, threads[i]);
      const std::uint64_t log = g_agent->bridge.log_of(jni, threads[i]);
      if (log != 0) logs.push_back({log, g_agent->bridge.name_of(jni, threads[i])});
    }
    jvmti->Deallocate(reinterpret_cast<unsigned char*>(threads));
  }
  const bool traced = g_agent->session.traced();
  const Session::Outcome outcome =
      traced ? g_agent->session.end_trace(logs) : g_agent->session.save(names, {{"jvm", jvm_name(jvmti)}});
  const std::string& status = g_agent->session.options().status;
  if (!outcome.error.empty()) return tell(status, "error", outcome.error);
  if (traced) {
    tell(status, "events", std::to_string(outcome.events));
    for (const std::string& note : outcome.notes) tell(status, "note", note);
  } else {
    tell(status, "contexts", std::to_string(outcome.contexts));
    tell(status, "calls", std::to_string(outcome.calls));
  }
  tell(status, "saved", outcome.path);
}

// Empty, or why this VM is not one we know.
std::string unfit(jvmtiEnv* jvmti) {
  const std::string name = property(jvmti, "java.vm.name");
  const std::string version = property(jvmti, "java.vm.version");
  const bool hotspot = name.find("OpenJDK") != std::string::npos || name.find("HotSpot") != std::string::npos;
  const int major = std::atoi(version.c_str());
  if (hotspot && major >= kOldestVersion && major <= kNewestVersion) return "";
  return "needs a HotSpot JVM, version 17 to 25; this is " + name + " " + version;
}

std::string set_up(jvmtiEnv* jvmti) {
  jvmtiCapabilities capabilities{};
  capabilities.can_generate_all_class_hook_events = 1;
  capabilities.can_generate_early_class_hook_events = 1;
  capabilities.can_generate_early_vmstart = 1;
  capabilities.can_generate_native_method_bind_events = 1;
  // Called behind agents that cannot retransform: probes go into what those made of a class.
  capabilities.can_retransform_classes = 1;
  if (jvmti->AddCapabilities(&capabilities) != JVMTI_ERROR_NONE) {
    return "this JVM does not let an agent rewrite classes from the start";
  }
  jvmtiEventCallbacks callbacks{};
  callbacks.ClassFileLoadHook = class_file_load_hook;
  callbacks.VMStart = vm_start;
  callbacks.VMInit = vm_init;
  callbacks.NativeMethodBind = native_bound;
  callbacks.ThreadEnd = thread_end;
  callbacks.VMDeath = vm_death;
  if (jvmti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) return "callbacks were refused";
  for (const jvmtiEvent event : {JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, JVMTI_EVENT_VM_START, JVMTI_EVENT_VM_INIT,
                                 JVMTI_EVENT_NATIVE_METHOD_BIND, JVMTI_EVENT_THREAD_END, JVMTI_EVENT_VM_DEATH}) {
    if (jvmti->SetEventNotificationMode(JVMTI_ENABLE, event, nullptr) != JVMTI_ERROR_NONE) {
      return "an event was refused";
    }
  }
  return "";
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  auto options = bursar::agent::parse_agent_options(text != nullptr ? text : "");
  if (!options) {
    std::fprintf(stderr, "bursar: %s\n", options.error().message.c_str());
    return JNI_ERR;
  }
  const std::string status = options->status;
  if (g_agent != nullptr) {
    std::fprintf(stderr, "bursar: the agent is in this JVM already; it was asked for twice\n");
    return JNI_OK;
  }
  jvmtiEnv* jvmti = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) {
    tell(status, "error", "this JVM has no tool interface (JVMTI) of version 11; the program is not profiled");
    return JNI_OK;
  }
  std::string problem = unfit(jvmti);
  if (problem.empty() && bursar::core::CommonNodes::instance().mute == 0) problem = "no memory";
  if (problem.empty()) {
    g_agent = new Agent(jvmti, std::move(*options));
    problem = set_up(jvmti);
  }
  if (!problem.empty()) tell(status, "error", problem + "; the program runs without being profiled");
  return JNI_OK;
}

extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM*, char*, void*) {
  std::fprintf(stderr, "bursar: mode exact counts from the start of a JVM: use `bursar record -- java …`\n");
  return JNI_ERR;
}
