// SampleRecording: from what signal handlers walked to a profile of samples.
//
// One user at a time, under the owner's lock.
// Owner: mode sample.
// Runs in: any thread that may allocate, never a signal handler
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "agent/agent_options.h"
#include "agent/filter.h"
#include "agent/named_methods.h"
#include "agent/sampled_threads.h"
#include "agent/walk_queue.h"
#include "core/sample_tree.h"
#include "profile/profile.h"

namespace bursar::agent {

class SampleRecording {
 public:
  using Namer = NamedMethods::Namer;

  explicit SampleRecording(const AgentOptions& options);

  // `walk.outcome` is a stack. Whether its innermost activation was seen by the walk before; nothing, if it was not
  // compared with that.
  std::optional<bool> add(const Walk& walk, const Namer& namer);
  // The thread has ended.
  void close(SampledThreads::Number thread, const std::string& name);

  struct Activations {
    std::uint64_t compared = 0;   // stacks, with those before
    std::uint64_t tops_seen = 0;  // of them, whose innermost activation had been seen
    std::uint64_t stopped = 0;    // walks, at an activation that had been seen
    std::uint64_t frames_walked = 0, frames_not_walked = 0;
    std::uint64_t checked = 0;        // walks that would have been stopped
    std::uint64_t false_matches = 0;  // of them, where the rest was not as before
  };
  const Activations& activations() const { return activations_; }
  std::uint64_t samples() const { return tree_.samples(); }
  // By their JNI environment, of threads whose stacks were walked; the newest, where one followed another.
  const std::unordered_map<const void*, SampledThreads::Number>& threads() const { return threads_; }
  // With `dropped` by reason, and counts of walks by what they had seen; other facts about the run are the caller's.
  // Stays usable.
  profile::ProfileData to_profile(core::SampleTree::ThreadNames names) const;

 private:
  // The stack with what its walk left out, the innermost first; nothing if that is not known any more.
  std::optional<std::span<const RawFrame>> whole_stack(const Walk& walk);
  // How many of its frames are new, the innermost ones.
  static std::size_t unseen_frames(const Walk& walk, const std::vector<RawFrame>& last);
  void check(const Walk& walk, const std::vector<RawFrame>& last);
  void add_activations(profile::ProfileData& data) const;
  // Of a stack that could not be walked, by why.
  core::MethodId failed(std::int32_t reason);

  // Of each living thread, the stack that walks may refer to.
  struct Last {
    std::uint64_t sequence = 0;
    std::vector<RawFrame> stack;
  };

  const Filter filter_;
  const SampleWalks walks_;
  NamedMethods methods_;
  core::SampleTree tree_;
  core::MethodId truncated_;
  std::map<std::string, core::MethodId> failed_;
  std::unordered_map<const void*, SampledThreads::Number> threads_;
  std::map<std::string, std::uint64_t> dropped_;
  std::vector<core::SampleTree::Frame> stack_;
  std::unordered_map<SampledThreads::Number, Last> last_;
  std::vector<RawFrame> composed_;
  std::size_t unseen_ = 0;  // of the stack that is being added
  Activations activations_;
};

}  // namespace bursar::agent
