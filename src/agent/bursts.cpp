#include "agent/bursts.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "agent/clocks.h"
#include "schemes/random.h"

namespace bursar::agent {

core::SlotAddress Bursts::reach(core::ContextTree& tree, const Stack& stack) const {
  core::NodeAddress node = tree.root();
  for (std::size_t i = stack.size(); i-- > 0 && node != 0;) {
    const std::vector<core::CallSite>& sites = methods_[core::node_at(node).method].sites;
    std::uint32_t slot = sites.empty() ? 0 : 1;
    if (i + 1 < stack.size()) {
      const auto site =
          std::find_if(sites.begin(), sites.end(), [&](const core::CallSite& s) { return s.bci == stack[i + 1].bci; });
      if (site != sites.end()) slot = static_cast<std::uint32_t>(site - sites.begin()) + 1;
    }
    if (i == 0) return core::slot_address(node, slot);
    node = tree.reach_child({node, slot}, stack[i].method);
  }
  return 0;
}

core::SlotAddress Bursts::begin(core::ContextTree& tree, const Stack& stack) {
  begun_.fetch_add(1, std::memory_order_relaxed);
  if (stack.empty()) return 0;
  const core::SlotAddress slot = reach(tree, stack);
  tree.burst = {.gate = stack.front().method, .began_ns = monotonic_ns()};
  return slot;
}

core::SlotAddress Bursts::begin_scout(const Stack& stack) {
  if (stack.empty()) return 0;
  scouts_begun_.fetch_add(1, std::memory_order_relaxed);
  Scout scout{.gate = stack.front().method,
              .tree = std::make_unique<core::ContextTree>(methods_, budget_, root_, core::ContextTree::Options{})};
  if (scout.tree->root() == 0) return 0;
  const core::SlotAddress slot = reach(*scout.tree, stack);
  if (slot == 0) return 0;
  core::ContextTree* const key = scout.tree.get();
  const std::lock_guard guard(lock_);
  under_way_.emplace(key, std::move(scout));
  return slot;
}

void Bursts::end(core::SlotAddress began) {
  core::ContextTree* const tree = core::ContextTree::owner_of(began);
  const std::lock_guard guard(lock_);
  const auto at = under_way_.find(tree);
  if (at == under_way_.end()) {
    GateCounts& counts = gate_counts_[tree->burst.gate];
    ++counts.bursts;
    counts.ns += monotonic_ns() - tree->burst.began_ns;
    return;
  }
  done_.push_back(std::move(at->second));
  under_way_.erase(at);
}

std::unordered_map<core::MethodId, Bursts::GateCounts> Bursts::gate_counts() {
  const std::lock_guard guard(lock_);
  return gate_counts_;
}

std::vector<Scout> Bursts::take_scouts() {
  const std::lock_guard guard(lock_);
  return std::exchange(done_, {});
}

std::int32_t Bursts::next_countdown(double chance) {
  if (chance >= 1) return 0;
  const std::uint64_t x = schemes::mixed(random_.fetch_add(0x9e3779b97f4a7c15, std::memory_order_relaxed));
  const double part = (static_cast<double>(x >> 11) + 1) * 0x1p-53;
  return static_cast<std::int32_t>(std::min(std::log(part) / std::log1p(-chance), 1e9));
}

}  // namespace bursar::agent
