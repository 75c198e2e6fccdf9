// SampleTree: the stacks that samples found, as a tree of contexts with the number of samples that ended in each.
//
// With `activations` it also has how many activations samples found that the last sample of their thread had not seen:
// of every method on the stack, not only where it ends (Chilingarova 2006, 3.1.4).
// Threads are numbers while they live; named when they end, or when a profile is made. Threads of the same name share
// one tree; beyond kMaxThreads names, further ones share that of kOtherThreads. One writer at a time, under the owner's
// lock. Memory is that of the different contexts, and of those of each living thread and each name.
//
// When there is no room for a stack the colder half of the contexts is forgotten, so that a tree that is fed for weeks
// has what is hot now: heat is the number of samples, halved each time. Their samples are the overflow's then; edges
// keep all. A stack of more than half of what there is room for goes to the overflow where there is none left. Owner: a
// recording. Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/gathered_contexts.h"

namespace bursar::core {

class SampleTree {
 public:
  using ThreadNumber = std::uint32_t;
  using ThreadNames = std::unordered_map<ThreadNumber, std::string>;

  struct Frame {
    MethodId method = kNoMethod;
    std::uint32_t site = profile::kNoSite;  // in the caller: where it was called

    bool operator==(const Frame&) const = default;
  };

  SampleTree(const MethodTable& methods, bool call_sites, std::uint64_t max_contexts, bool activations = false)
      : whole_(methods, call_sites, max_contexts), has_activations_(activations) {}

  // One sample; the first frame of the thread comes first. The last `unseen` frames are of new activations.
  void add(ThreadNumber thread, std::span<const Frame> stack, std::size_t unseen = 0);
  // There will be no more samples of this thread.
  void close(ThreadNumber thread, const std::string& name);

  std::uint64_t samples() const { return samples_; }
  // So many contexts, for lack of room.
  std::uint64_t forgotten() const { return forgotten_; }
  // Samples that no context has, for lack of memory.
  std::uint64_t lost() const { return lost_; }
  // Contexts, edges (of the last call of each stack) and threads with the metric "samples", and "activations" (with
  // edges of the calls that made them) where they are kept; not yet frozen. Threads that `names` does not have are
  // "unnamed thread". Stays usable.
  profile::ProfileData to_profile(const ThreadNames& names) const;

 private:
  using Row = GatheredContexts::Row;
  struct Step {
    Frame frame;
    profile::MethodId method;
    Row context;
  };

  struct Counts {
    CountTable samples, activations;
  };
  struct ByName {
    GatheredContexts::ByThread samples, activations;

    void add(const std::string& name, const Counts& counts);
  };
  // For the frames of a stack behind those of the last one that it shares.
  bool has_room_for(std::span<const Frame> stack, std::size_t known);
  void forget_cold();
  void add_activations(profile::ProfileData& data, const ByName& by_name) const;

  GatheredContexts whole_;
  const bool has_activations_;
  std::vector<std::uint64_t> activations_, edge_activations_;  // by row
  std::vector<Step> last_;                                     // the stack of the sample before
  std::uint64_t samples_ = 0, forgotten_ = 0, lost_ = 0;
  std::vector<std::uint64_t> heat_;  // by row
  std::unordered_map<ThreadNumber, Counts> living_;
  ByName ended_;
};

}  // namespace bursar::core
