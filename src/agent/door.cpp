// The agent's door: what the VM calls when it loads the agent, at its start or later.
//
// From here on the mode asks for what it needs and the VM talks to it: exact_mode.h, sample_mode.h, path_mode.h,
// cbs_mode.h.
#include <jvmti.h>

#include <cstdio>
#include <string>
#include <utility>

#include "agent/cbs_mode.h"
#include "agent/exact_mode.h"
#include "agent/path_mode.h"
#include "agent/recompilation.h"
#include "agent/sample_mode.h"
#include "agent/status_file.h"
#include "agent/vm_facts.h"

namespace {

using bursar::agent::AgentOptions;
using bursar::agent::Mode;
using bursar::agent::tell;

constexpr const char* kUnprofiled = "; the program runs without being profiled";

// Made once, never freed: see mode.h.
Mode* g_mode = nullptr;
bool g_rewrites_classes = false;  // the mode does

// Empty, or why there is none.
std::string make_mode(JavaVM* vm, const AgentOptions& options) {
  jvmtiEnv* jvmti = nullptr;
  if (vm->GetEnv(reinterpret_cast<void**>(&jvmti), JVMTI_VERSION_11) != JNI_OK) {
    return "this JVM has no tool interface (JVMTI) of version 11";
  }
  if (std::string problem = bursar::agent::unfit(jvmti); !problem.empty()) return problem;
  g_rewrites_classes = options.mode != bursar::agent::kSampleMode && options.mode != bursar::agent::kCbsMode;
  if (options.mode == bursar::agent::kSampleMode) {
    g_mode = new bursar::agent::SampleMode(vm, jvmti);
  } else if (options.mode == bursar::agent::kCbsMode) {
    g_mode = new bursar::agent::CbsMode(jvmti, options);
  } else if (options.mode == bursar::agent::kExactPathsMode || options.path_ticks) {
    g_mode = new bursar::agent::PathMode(jvmti, options);
  } else {
    g_mode = new bursar::agent::ExactMode(jvmti, options);
  }
  return "";
}

}  // namespace

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  const auto options = bursar::agent::parse_agent_options(text != nullptr ? text : "");
  if (!options) {
    std::fprintf(stderr, "bursar: %s\n", options.error().message.c_str());
    return JNI_ERR;
  }
  if (g_mode != nullptr) {
    std::fprintf(stderr, "bursar: the agent is in this JVM already; it was asked for twice\n");
    return JNI_OK;
  }
  std::string problem = make_mode(vm, *options);
  if (problem.empty()) problem = g_mode->load(*options);
  if (!problem.empty()) tell(options->status, "error", problem + kUnprofiled);
  return JNI_OK;
}

extern "C" JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM* vm, char* text, void*) {
  const auto options = bursar::agent::parse_agent_options(text != nullptr ? text : "");
  if (!options) {
    std::fprintf(stderr, "bursar: %s; use `bursar record -- java …` or `bursar attach PID`\n",
                 options.error().message.c_str());
    return JNI_ERR;
  }
  JNIEnv* jni = nullptr;
  std::string problem;
  if (vm->GetEnv(reinterpret_cast<void**>(&jni), JNI_VERSION_10) != JNI_OK) problem = "the JVM does not answer";
  if (problem.empty() && options->action == bursar::agent::AttachAction::kRecompile) {
    // Its probes would be put in once more, under counts that threads hold already.
    if (!g_rewrites_classes) {
      bursar::agent::recompile(vm, jni, *options);
    } else {
      tell(options->status, "error",
           "the classes of this JVM are rewritten, to count calls or paths: they stay as they are");
    }
    return JNI_OK;
  }
  if (problem.empty() && g_mode == nullptr) {
    if (options->mode != bursar::agent::kSampleMode) {
      problem = "mode " + options->mode + " counts from the start of a JVM: use `bursar record -- java …`";
    } else {
      problem = make_mode(vm, *options);
    }
  }
  if (problem.empty()) {
    g_mode->attached(jni, *options);
  } else {
    tell(options->status, "error", problem);
  }
  return JNI_OK;
}
