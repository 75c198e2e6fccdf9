// Session: the state of one recording inside the JVM, and the one owner of process state in the agent.
//
// Threads get their trees here, the probes' slow paths end here, and the profile is written from here. Lock order:
// trees_lock_, then the locks inside the parts. The natives that probes call take no lock, except for virtual threads,
// which share one tree.
#pragma once

#include <jni.h>

#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "agent/agent_options.h"
#include "agent/bursts.h"
#include "agent/check_windows.h"
#include "agent/class_registry.h"
#include "agent/class_rewriter.h"
#include "agent/filter.h"
#include "agent/gates.h"
#include "agent/path_registry.h"
#include "agent/save_profile.h"
#include "agent/tracer.h"
#include "core/context_tree.h"
#include "core/gathering.h"
#include "core/method_table.h"
#include "core/path_counters.h"

namespace bursar::agent {

// Its class is there if Java agents are.
inline constexpr const char* kOtherAgents = "sun/instrument/InstrumentationImpl";

// What MethodHandle.linkTo… was about to call.
struct LinkTarget {
  std::string class_name;  // internal
  std::string name;
};

class Session {
 public:
  explicit Session(AgentOptions options);

  const AgentOptions& options() const { return options_; }
  ClassRewriter& rewriter() { return rewriter_; }
  const core::MethodTable& methods() const { return methods_; }
  // Java agents are there that may rewrite classes as well.
  bool has_other_agents() { return registry_.knows(kOtherAgents); }
  // For modes that do not rewrite classes by the rewriter here: what else is needed to know that.
  void look_for_agents(base::Bytes class_file);

  // Call sites may no longer rely on what they call to count itself.
  bool doubted() const { return registry_.doubted(); }
  void doubt() { registry_.doubt(); }

  // A tree for the thread that asks, perhaps one that another thread grew; all virtual threads get the same one. Null
  // if there is no memory. Runs in: app thread
  core::ContextTree* open_tree(bool is_virtual);
  // Bursts: the thread's tree for bursts at this pace of this group, or of new stacks (core::kGroups). Null if there is
  // no memory.
  // Runs in: app thread
  core::ContextTree* tree_of_bursts(core::ContextTree* tree, schemes::Pace pace, std::size_t group);
  // Mode trace: where the thread's first note goes; 0 if it makes none.
  // Runs in: app thread, the tree's owner
  std::uint64_t open_log(const core::ContextTree* tree);
  // The thread ends: what it counted goes into the whole. `log`: where its next note would go, or 0.
  // Runs in: app thread, the tree's owner
  void close_tree(core::ContextTree* tree, std::string_view thread_name, std::uint64_t log = 0);

  // The slow paths of BursarProbe.
  // Runs in: app thread, the tree's owner
  core::NodeAddress find(core::ContextTree* tree, core::SlotAddress slot, core::MethodId method);
  bool in_bursts() const { return options_.in_bursts(); }
  // Not once there is a class without copies: who calls it in a burst would look for them.
  bool may_burst() const { return !rewriter_.refused_any(); }
  Bursts& bursts() { return bursts_; }
  CheckWindows& check_windows() { return check_windows_; }
  Gates& gates() { return gates_; }
  // Of a class as the VM names it: a hidden one with a suffix.
  core::MethodId method_named(std::string_view class_name, std::string_view name, std::string_view descriptor);
  // In bursts: the node of the last of the stack's outermost `depth` methods. 0 if there is no room.
  core::NodeAddress node_in(core::ContextTree& tree, Stack& stack, std::size_t depth);
  // The number of the call site at this place of a method's or its copy's code.
  std::uint32_t site_of_call(core::MethodId method, bool copy, std::uint32_t bci) const;
  // The first of these frames, the outermost first, calls through a method handle, and the others are adapters.
  bool is_linkage(std::span<const StackFrame> frames) const;
  core::NodeAddress find_unprobed(core::ContextTree* tree, core::SlotAddress slot);
  // 0 if what the receiver's class has counts itself.
  core::NodeAddress find_virtual(core::ContextTree* tree, core::SlotAddress slot, std::string_view receiver_class);
  // Null if the slot is no call site's.
  const core::CallSite* site_at(core::SlotAddress slot) const;
  bool is_link(core::SlotAddress slot) const;
  // The node of what was called; 0 if nothing was counted.
  core::NodeAddress missed(core::ContextTree* tree, core::SlotAddress slot, const LinkTarget& target);

  struct SavedTrace {
    std::string error;  // empty: saved
    std::string path;
    std::uint64_t events = 0;
    std::vector<std::string> notes;  // what it lacks
  };
  using ThreadNames = std::unordered_map<core::ContextTree*, std::string>;
  // Another fact about bursts, before they are saved.
  void add_counter(const std::string& name, std::uint64_t value) { more_counters_[name] = value; }
  // Threads may go on while it reads. `info`: more facts about the run.
  SavedProfile save(const ThreadNames& names, const std::map<std::string, std::string>& info);

  bool traced() const { return options_.mode == kTraceMode; }
  // Mode trace: opens the file. Empty, or why there will be none. To be called before any thread has a tree.
  std::string begin_trace(const std::map<std::string, std::string>& info);
  // Threads may go on while it reads.
  SavedTrace end_trace(const std::vector<Tracer::OpenLog>& open);

 private:
  struct OpenTree {
    std::unique_ptr<core::ContextTree> tree;
    // In bursts, by pace; those of new stacks come last, and at the first pace into the tree itself.
    std::array<std::array<std::unique_ptr<core::ContextTree>, core::kGroups + 1>, schemes::kPaces> of_bursts;
  };
  // Of what bursts of this pace and group counted.
  std::uint64_t weight_of(schemes::Pace pace, std::size_t group) const;
  std::uint64_t gather(const OpenTree& open, std::string_view thread_name);
  core::ContextTree::Options tree_options(bool shared, schemes::Pace pace, std::size_t group);
  core::Route route(core::ContextTree::Place place, core::MethodId method);
  std::uint32_t slot_behind_entry(core::NodeAddress node, core::MethodId method) const;
  const core::CallSite* site_of(core::ContextTree::Place place) const;
  core::NodeAddress count_at_site(core::ContextTree* tree, core::ContextTree::Place place, core::MethodId callee);
  void add_paths(profile::ProfileData& data) const;
  void add_facts(profile::ProfileData& data, const std::map<std::string, std::string>& info) const;
  std::map<std::string, std::uint64_t> calls_without_events();

  AgentOptions options_;
  Filter filter_;
  core::MethodTable methods_;
  ClassRegistry registry_;
  Gates gates_;
  PathRegistry path_registry_;
  ClassRewriter rewriter_;
  core::ContextBudget budget_;
  core::MethodId root_;
  Bursts bursts_;
  CheckWindows check_windows_;
  std::map<std::string, std::uint64_t> more_counters_;

  // What the trees' threads count of paths, all of one pace and group together. Memory does not grow with threads.
  std::array<std::array<std::unique_ptr<core::PathCounters>, core::kGroups + 1>, schemes::kPaces> path_counters_;

  std::mutex trees_lock_;
  std::unordered_map<core::ContextTree*, OpenTree> trees_;
  core::ContextTree* shared_tree_ = nullptr;
  // Of threads that ended, without counts: what comes next often does the same. Of no more than a part of all contexts.
  std::vector<std::unique_ptr<core::ContextTree>> idle_trees_;
  std::uint64_t idle_contexts_ = 0;
  std::uint64_t overflow_calls_ = 0;  // of threads that ended, in mode trace
  std::unique_ptr<Tracer> tracer_;    // in mode trace
  core::Gathering gathering_;
  std::mutex shared_lock_;  // of the shared tree's contents
};

}  // namespace bursar::agent
