// SampleRecording: from what signal handlers walked to a profile of samples.
//
// Methods are asked for by their jmethodID and kept by name: a class that is unloaded and loaded again costs nothing.
// One user at a time, under the owner's lock.
// Owner: mode sample.
// Runs in: any thread that may allocate, never a signal handler
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "agent/agent_options.h"
#include "agent/filter.h"
#include "agent/sampled_threads.h"
#include "agent/stack_slots.h"
#include "core/method_table.h"
#include "core/sample_tree.h"
#include "profile/profile.h"

namespace bursar::agent {

class SampleRecording {
 public:
  // The method with that jmethodID, without call sites. Its name is empty if the class is there no more.
  using Namer = std::function<core::Method(void* method)>;

  explicit SampleRecording(const AgentOptions& options);

  // `walk.outcome` is a stack.
  void add(const Walk& walk, const Namer& namer);
  // The thread has ended.
  void close(SampledThreads::Number thread, const std::string& name) { tree_.close(thread, name); }

  std::uint64_t samples() const { return tree_.samples(); }
  // By their JNI environment, of threads whose stacks were walked; the newest, where one followed another.
  const std::unordered_map<const void*, SampledThreads::Number>& threads() const { return threads_; }
  // With `dropped` by reason; facts about the run are the caller's. Stays usable.
  profile::ProfileData to_profile(core::SampleTree::ThreadNames names) const;

 private:
  core::MethodId method_of(void* id, const Namer& namer);
  core::MethodId add_pseudo(const char* name);

  const Filter filter_;
  core::MethodTable methods_;
  core::SampleTree tree_;
  core::MethodId unknown_stack_, truncated_, unknown_method_;
  core::MethodId continuation_ = core::kNoMethod;  // where a virtual thread begins on its carrier
  std::unordered_map<void*, core::MethodId> by_id_;
  std::map<std::tuple<std::string, std::string, std::string>, core::MethodId> by_name_;
  std::unordered_map<const void*, SampledThreads::Number> threads_;
  std::map<std::string, std::uint64_t> dropped_;
  std::vector<core::SampleTree::Frame> stack_;
};

}  // namespace bursar::agent
