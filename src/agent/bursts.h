// Bursts: stretches of a thread's run in which every call is counted, each the run of one gate's body.
//
// A gate that is chosen by chance begins a burst in the thread's tree; one that the gatekeeper wants to know more about
// begins one in a tree of its own, a scout, which tells about its calls and is then thrown away.
// Runs in: app threads, and the gatekeeper
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/context_tree.h"
#include "core/method_table.h"

namespace bursar::agent {

struct StackFrame {
  core::MethodId method;
  std::uint32_t bci;
};
using Stack = std::vector<StackFrame>;  // the top first

struct Scout {
  core::MethodId gate = core::kNoMethod;
  std::unique_ptr<core::ContextTree> tree;
};

class Bursts {
 public:
  Bursts(const core::MethodTable& methods, core::ContextBudget& budget, core::MethodId root)
      : methods_(methods), budget_(budget), root_(root) {}

  // The slot through which the method on top of the stack is entered; 0 if there is no room.
  core::SlotAddress begin(core::ContextTree& tree, const Stack& stack);
  // The same in a tree of its own.
  core::SlotAddress begin_scout(const Stack& stack);
  // The burst that began at this slot is over.
  void end(core::SlotAddress began);

  // How the bursts of a gate went.
  struct GateCounts {
    std::uint64_t bursts = 0, ns = 0;
  };
  std::unordered_map<core::MethodId, GateCounts> gate_counts();

  // Scouts that are done.
  std::vector<Scout> take_scouts();

  struct Counts {
    std::uint64_t begun = 0, scouts = 0;
  };
  Counts counts() const { return {begun_.load(), scouts_begun_.load()}; }

  // How many entries of gates are passed by before the next burst, so that each has the same chance.
  std::int32_t next_countdown(double chance);

 private:
  core::SlotAddress reach(core::ContextTree& tree, const Stack& stack) const;

  const core::MethodTable& methods_;
  core::ContextBudget& budget_;
  const core::MethodId root_;
  std::atomic<std::uint64_t> begun_ = 0, scouts_begun_ = 0, random_ = 1;
  std::mutex lock_;
  std::unordered_map<core::ContextTree*, Scout> under_way_;
  std::vector<Scout> done_;
  std::unordered_map<core::MethodId, GateCounts> gate_counts_;
};

}  // namespace bursar::agent
