// Bursts: stretches of a thread's run in which every call is counted.
//
// A thread passes checks (open gates); schemes/checked_bursts.h says which of them lie in a burst. A burst counts into
// one of the thread's trees. Where it comes upon code that did not count so far, a walk of the stack finds the context.
// Runs in: app threads
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/context_tree.h"
#include "core/method_table.h"
#include "profile/profile.h"
#include "schemes/burst_pace.h"
#include "schemes/checked_bursts.h"
#include "schemes/history_table.h"
#include "schemes/options.h"

namespace bursar::agent {

struct StackFrame {
  core::MethodId method;
  std::uint32_t site;  // its number; as many as there are if it is at none
  bool copy = false;
};
// The outermost frame first; and what was found in a tree of it.
struct Stack {
  std::vector<StackFrame> frames;
  const core::ContextTree* tree = nullptr;
  std::vector<core::NodeAddress> nodes;  // of the outermost frames, in that tree

  // Others are to follow the outermost so many.
  void cut(std::size_t depth) {
    frames.resize(std::min(depth, frames.size()));
    nodes.resize(std::min(depth, nodes.size()));
  }
};

// Where a thread is in its bursts and gaps; kept in fields of the thread.
struct BurstState {
  std::int32_t countdown = 0;         // of the gap; below 0: so far beyond its end; in a burst, below 0: see watch()
  std::int32_t left = 0;              // of the burst, likewise
  core::ContextTree* into = nullptr;  // what the burst counts into; null in a gap
  schemes::Pace pace = 0;             // of the burst, or of the one that ends the gap; kept in the thread's tree

  // A check of this cost is passed, in the gap or the burst.
  void pass(std::int32_t cost) {
    if (into != nullptr) {
      left -= cost;
      countdown = 0;
    } else {
      countdown = countdown > std::numeric_limits<std::int32_t>::min() + cost ? countdown - cost : countdown;
    }
  }
  // Every check of the burst is looked at, as if it were over.
  void watch() {
    if (into == nullptr || left <= 0) return;
    countdown = -left;
    left = 0;
  }
  bool watched() const { return into != nullptr && countdown < 0; }
  void go_on() {
    left = -countdown;
    countdown = 0;
  }
};

class Bursts {
 public:
  // `changes_pace`: bursts come more seldom, the longer the program runs.
  Bursts(const core::MethodTable& methods, const schemes::Options& options, bool changes_pace);

  enum class Next : std::uint8_t {
    kGoesOn,  // the burst
    kBegins,  // a burst, if admits() lets it
    kPause,   // a gap begins
  };
  // A check that is not passed by. Where a burst begins, `left` says how much of it there is.
  Next check(BurstState& state, bool is_first);
  // What a burst that begins on this stack counts into: a group; core::kGroups for what is not left to chance; nothing
  // if it is not to take place, because its stack is known.
  std::optional<std::size_t> admits(std::span<const StackFrame> stack);
  // The same for one that admits() refused: nothing is counted, for as long as it would have lasted.
  void skip(BurstState& state);
  void begin(BurstState& state, core::ContextTree& into);

  // The process has used that much CPU time, and runs for so long.
  // Runs in: drainer
  void ran(std::uint64_t cpu_ns, std::uint64_t time_ns);
  // A thread was busy with bursts for so long: beginning them counts, what was not begun as well, and optimized code
  // that ended.
  void spent(std::uint64_t cpu_ns) { spent_ns_.fetch_add(cpu_ns, std::memory_order_relaxed); }
  // The interval from one burst to the next, as it changed. Not while ran() may be called.
  const profile::Series& intervals() const { return intervals_; }

  // What a call in a burst of a group stands for, among the calls in bursts at the first pace; and that, among all
  // calls.
  std::uint64_t weight_of_groups() const { return weight_; }
  double calls_per_weight() const { return 1 / checks_.chance(); }

  // Of the last of the outermost `depth` methods; 0 if there is no room.
  core::NodeAddress node_of(core::ContextTree& tree, Stack& stack, std::size_t depth);

  struct Counts {
    std::uint64_t begun = 0, new_stacks = 0, disabled = 0, walks = 0, checks = 0, cpu_ns = 0;
  };
  Counts counts() const {
    return {begun_.load(), new_stacks_.load(),    disabled_.load(),
            walks_.load(), checks_passed_.load(), spent_ns_.load()};
  }

 private:
  // Through which that is entered.
  core::SlotAddress slot_of(core::ContextTree& tree, Stack& stack, std::size_t depth);
  std::uint32_t slot_in_caller(core::NodeAddress caller, const Stack& stack, std::size_t frame) const;
  bool pause(BurstState& state, std::int32_t more);
  void note_interval(std::uint64_t time_ns);

  const core::MethodTable& methods_;
  schemes::CheckedBursts checks_;
  schemes::HistoryTable history_;
  const std::uint64_t weight_;
  const bool reenables_;  // or known stacks have no more bursts
  const std::uint64_t interval_ns_;
  const bool changes_pace_;
  schemes::BurstPace by_cost_{{.settles = true}};
  std::atomic<schemes::Pace> pace_ = 0;  // of gaps that begin
  profile::Series intervals_{"burst_interval", "ns", {}, {}, {}};
  std::atomic<std::uint64_t> new_stacks_ = 0, begun_ = 0, disabled_ = 0, walks_ = 0, checks_passed_ = 0, spent_ns_ = 0;
};

}  // namespace bursar::agent
