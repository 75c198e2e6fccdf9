// PathRenumbering: hot methods of mode paths whose hot edges add to the register are numbered anew while they run.
//
// A thread of its own looks at the weights so far, 2, 4, 8 … seconds after the start. Methods where another numbering
// would spare enough additions get one: their classes are retransformed, and the rewriter numbers them by the edges
// that were sampled (paper 003, section 3.4). Activations that are under way end with the numbers they began with: a
// number tells which numbering it is of. Every method is renumbered at most once by each look, and a class twice in
// all, since the VM starts its methods in the interpreter again.
#pragma once

#include <jvmti.h>

#include <chrono>
#include <map>
#include <set>
#include <string>

#include "agent/drainer.h"
#include "agent/path_registry.h"
#include "agent/path_rewriter.h"
#include "agent/path_sampler.h"

namespace bursar::agent {

class PathRenumbering {
 public:
  PathRenumbering(jvmtiEnv* jvmti, const PathRegistry& registry, const PathSampler& sampler, PathRewriter& rewriter)
      : jvmti_(jvmti), registry_(registry), sampler_(sampler), rewriter_(rewriter), thread_(jvmti) {}

  // Empty, or why there will be none.
  // Runs in: the VM's initialisation
  std::string start(JNIEnv* jni);
  // Runs in: the VM's death
  void stop();

 private:
  static constexpr double kLeastShare = 0.002;  // of all decisions that were sampled
  static constexpr std::chrono::milliseconds kFirstLook{2000};
  static constexpr int kMostLooks = 16;
  static constexpr int kMostTimes = 2;  // that a class is retransformed

  void look(JNIEnv* jni);
  // The classes that are to be retransformed, by internal name.
  std::set<std::string> choose();
  void retransform(JNIEnv* jni, const std::set<std::string>& names);

  jvmtiEnv* jvmti_;
  const PathRegistry& registry_;
  const PathSampler& sampler_;
  PathRewriter& rewriter_;
  Drainer thread_;
  bool running_ = false;
  int looks_ = 0;
  std::set<std::uint32_t> asked_;     // first numbers
  std::map<std::string, int> times_;  // of classes
};

}  // namespace bursar::agent
