#include "agent/bursts.h"

#include <algorithm>
#include <cmath>

#include "agent/clocks.h"
#include "core/gathering.h"
#include "schemes/signature.h"

namespace bursar::agent {
namespace {

double chance_of(const schemes::Options& options) {
  return std::min(1.0, static_cast<double>(options.burst_ns) / static_cast<double>(options.interval_ns));
}

// A whole number, because counts are.
std::uint64_t weight_of(const schemes::Options& options) {
  if (options.kind != schemes::Kind::kAdaptive || options.reenable >= 1) return 1;
  return static_cast<std::uint64_t>(std::llround(1 / std::max(options.reenable, 1e-6)));
}

}  // namespace

Bursts::Bursts(const core::MethodTable& methods, const schemes::Options& options, bool changes_pace)
    : methods_(methods),
      checks_(chance_of(options), options.burst_ns, options.seed),
      history_(options.history, options.collision),
      weight_(weight_of(options)),
      reenables_(options.reenable > 0),
      interval_ns_(options.interval_ns),
      changes_pace_(changes_pace && checks_.chance() < 1) {
  note_interval(0);
}

void Bursts::ran(std::uint64_t cpu_ns, std::uint64_t time_ns) {
  if (!changes_pace_) return;
  const schemes::Pace pace =
      by_cost_.ran(cpu_ns, spent_ns_.load(std::memory_order_relaxed), new_stacks_.load(std::memory_order_relaxed));
  if (pace_.exchange(pace, std::memory_order_relaxed) != pace) note_interval(time_ns);
}

void Bursts::note_interval(std::uint64_t time_ns) {
  intervals_.time_ns.push_back(time_ns);
  intervals_.thread.push_back(profile::kNone);
  const schemes::Pace pace = pace_.load();
  const double longer =
      checks_.chance() < 1 ? static_cast<double>(checks_.burst_length(pace)) / checks_.burst_length(0) : 1;
  intervals_.value.push_back(static_cast<double>(interval_ns_ * schemes::weight_at(pace)) * longer);
}

Bursts::Next Bursts::check(BurstState& state, bool is_first) {
  if (state.watched()) state.go_on();
  if (state.into != nullptr && state.left > 0) return Next::kGoesOn;
  if (is_first) {
    state.pace = pace_.load(std::memory_order_relaxed);
    if (!checks_.begins_in_burst(state.pace)) {
      pause(state, 0);
      return Next::kPause;
    }
    state.left = checks_.rest_of_burst(state.pace);
    return Next::kBegins;
  }
  if (state.into != nullptr) {
    // A virtual thread may have moved to another one of the system, with a clock of its own.
    const std::uint64_t now_ns = own_cpu_ns(), began_ns = state.into->burst_began_ns;
    spent(now_ns > began_ns ? now_ns - began_ns : 0);
    state.countdown = state.left;
    if (pause(state, 0)) return Next::kPause;
  }
  // The gap is over, and perhaps more than that.
  for (;;) {
    state.left = state.countdown + checks_.burst_length(state.pace);
    if (state.left > 0) return Next::kBegins;
    state.countdown = state.left;
    if (pause(state, 0)) return Next::kPause;
  }
}

std::optional<std::size_t> Bursts::admits(std::span<const StackFrame> stack) {
  const auto group = static_cast<std::size_t>(checks_.part() * core::kGroups);
  if (weight_ == 1) return group;
  schemes::Signature signature = schemes::kEmptyStack;
  for (const StackFrame& frame : stack) signature = schemes::with_frame(signature, frame.method, frame.site);
  if (!history_.seen(signature)) {
    new_stacks_.fetch_add(1, std::memory_order_relaxed);
    return core::kGroups;
  }
  if (reenables_ && checks_.part() * static_cast<double>(weight_) < 1) return group;
  return std::nullopt;
}

void Bursts::skip(BurstState& state) {
  disabled_.fetch_add(1, std::memory_order_relaxed);
  state.countdown = 0;
  pause(state, state.left);
}

void Bursts::begin(BurstState& state, core::ContextTree& into) {
  begun_.fetch_add(1, std::memory_order_relaxed);
  checks_passed_.fetch_add(static_cast<std::uint64_t>(state.left), std::memory_order_relaxed);
  state.countdown = 0;
  state.into = &into;
  into.burst_began_ns = own_cpu_ns();
}

// A gap, behind a burst that does not take place; it begins where the countdown is. False if it is over already.
bool Bursts::pause(BurstState& state, std::int32_t more) {
  const schemes::Pace pace = pace_.load(std::memory_order_relaxed);
  const std::int32_t length = checks_.gap_length(pace);
  checks_passed_.fetch_add(static_cast<std::uint64_t>(length) + static_cast<std::uint64_t>(more),
                           std::memory_order_relaxed);
  const std::int64_t left = std::int64_t{state.countdown} + length + more;
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  state = {.countdown = static_cast<std::int32_t>(std::min(left, kMost)), .pace = pace};
  return left > 0;
}

std::uint32_t Bursts::slot_in_caller(core::NodeAddress caller, const Stack& stack, std::size_t frame) const {
  const std::vector<core::CallSite>& sites = methods_[core::node_at(caller).method].sites;
  if (frame > 0 && stack.frames[frame - 1].site < sites.size()) return stack.frames[frame - 1].site + 1;
  return sites.empty() ? 0 : 1;
}

core::SlotAddress Bursts::slot_of(core::ContextTree& tree, Stack& stack, std::size_t depth) {
  walks_.fetch_add(1, std::memory_order_relaxed);
  if (stack.tree != &tree) stack.nodes.clear();
  stack.tree = &tree;
  if (depth == 0) return 0;
  while (stack.nodes.size() + 1 < depth) {
    const std::size_t i = stack.nodes.size();
    const core::NodeAddress caller = i > 0 ? stack.nodes.back() : tree.root();
    const core::NodeAddress node = tree.reach_child({caller, slot_in_caller(caller, stack, i)}, stack.frames[i].method);
    if (node == 0) return 0;
    stack.nodes.push_back(node);
  }
  const core::NodeAddress caller = depth > 1 ? stack.nodes[depth - 2] : tree.root();
  return core::slot_address(caller, slot_in_caller(caller, stack, depth - 1));
}

core::NodeAddress Bursts::node_of(core::ContextTree& tree, Stack& stack, std::size_t depth) {
  const core::SlotAddress slot = slot_of(tree, stack, depth);
  return slot != 0 ? tree.reach_child(core::ContextTree::locate(slot), stack.frames[depth - 1].method) : 0;
}

}  // namespace bursar::agent
