#include "core/gathering.h"

namespace bursar::core {

Gathering::Gathering(const MethodTable& methods, bool call_sites, std::uint64_t max_contexts)
    : methods_(methods), whole_(methods, call_sites, max_contexts) {}

CountTable& Gathering::tree_of(std::string_view thread_name) {
  if (const auto known = by_thread_.find(thread_name); known != by_thread_.end()) return known->second;
  return by_thread_[std::string(by_thread_.size() < kMaxThreads ? thread_name : kOtherThreads)];
}

std::uint32_t Gathering::site_of(MethodId caller, std::uint32_t slot) const {
  const std::vector<CallSite>& sites = methods_[caller].sites;
  return slot == 0 || slot > sites.size() ? profile::kNoSite : sites[slot - 1].bci;
}

void Gathering::count_in_group(std::vector<ByGroup>& rows, Row row, const Share& share, std::uint64_t calls) {
  if (calls == 0 || share.group == Share::kAllGroups || row == CountTable::kNoRow) return;
  if (row >= rows.size()) rows.resize(row + 1);
  rows[row][share.group] += calls;
}

std::uint64_t Gathering::add(const ContextTree& tree, std::string_view thread_name, Share share) {
  std::uint64_t counted = 0;
  if (share.is_whole_thread) ++threads_;
  tree_contexts_ += tree.contexts();
  tree_bytes_ += tree.bytes();
  tree_lookups_ += tree.lookups();
  CountTable& thread = tree_of(thread_name);
  const auto visit = [&](Row parent, NodeAddress caller, std::uint32_t slot, NodeAddress callee, std::uint64_t seen) {
    const std::uint64_t calls = seen * share.weight;
    const MethodId caller_method = node_at(caller).method;
    const MethodId callee_method =
        callee != 0 ? node_at(callee).method : methods_[caller_method].sites[slot - 1].callee;
    if (callee_method == kNoMethod) return parent;  // the owner is just adding it
    const profile::MethodId method = whole_.id_of(callee_method);
    const std::uint32_t site = site_of(caller_method, slot);
    const Row context = whole_.context_of(parent, method, site);
    whole_.count(thread, context, calls);
    count_in_group(contexts_by_group_, context, share, calls);
    if (calls > 0 && callee != 0) ++counted;
    if (calls > 0 && caller != tree.root()) {
      const Row edge = whole_.count_edge(whole_.id_of(caller_method), site, method, calls);
      count_in_group(edges_by_group_, edge, share, calls);
    }
    return context;
  };
  tree.walk(Row{profile::kNone}, visit);
  if (const std::uint64_t calls = tree.overflow_calls(); calls > 0) whole_.count(thread, whole_.overflow(), calls);
  return counted;
}

profile::ProfileData Gathering::to_profile() const {
  profile::ProfileData data = whole_.to_profile({profile::kCalls, "", profile::MetricKind::kExact, 0}, by_thread_);
  data.counters["threads"] = threads_;
  data.counters["tree_contexts"] = tree_contexts_;
  data.counters["tree_bytes"] = tree_bytes_;
  data.counters["tree_lookups"] = tree_lookups_;
  return data;
}

}  // namespace bursar::core
