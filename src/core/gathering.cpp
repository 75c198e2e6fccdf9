#include "core/gathering.h"

#include <utility>

namespace bursar::core {
namespace {

profile::Column column_of(const CountTable& table) {
  return {table.counts(), {}};
}

}  // namespace

Gathering::Gathering(const MethodTable& methods, bool call_sites, std::uint64_t max_contexts)
    : methods_(methods), call_sites_(call_sites), max_contexts_(max_contexts), names_(methods) {}

CountTable& Gathering::tree_of(std::string_view thread_name) {
  if (const auto known = by_thread_.find(thread_name); known != by_thread_.end()) return known->second;
  return by_thread_[std::string(by_thread_.size() < kMaxThreads ? thread_name : kOtherThreads)];
}

std::uint32_t Gathering::site_of(MethodId caller, std::uint32_t slot) const {
  const std::vector<CallSite>& sites = methods_[caller].sites;
  return slot == 0 || slot > sites.size() ? profile::kNoSite : sites[slot - 1].bci;
}

Gathering::Row Gathering::overflow() {
  if (overflow_ == profile::kNone) {
    overflow_ = contexts_.find_or_add({profile::kNone, names_.overflow(), profile::kNoSite});
  }
  return overflow_;
}

Gathering::Row Gathering::context_of(Row parent, profile::MethodId method, std::uint32_t site) {
  if (parent != profile::kNone && parent == overflow_) return overflow_;
  const CountTable::Key key = {parent, method, call_sites_ && parent != profile::kNone ? site : profile::kNoSite};
  const Row known = contexts_.find(key);
  if (known != CountTable::kNoRow) return known;
  const std::size_t own = contexts_.size() - (overflow_ == profile::kNone ? 0 : 1);
  const Row added = own < max_contexts_ ? contexts_.find_or_add(key) : CountTable::kNoRow;
  return added != CountTable::kNoRow ? added : overflow();
}

void Gathering::count(CountTable& thread, Row context, std::uint64_t calls) {
  if (calls == 0 || context == CountTable::kNoRow) return;
  contexts_.add(context, calls);
  const std::uint32_t row = thread.find_or_add({context, 0, 0});
  if (row != CountTable::kNoRow) thread.add(row, calls);
}

std::uint64_t Gathering::add(const ContextTree& tree, std::string_view thread_name) {
  std::uint64_t counted = 0;
  ++threads_;
  tree_contexts_ += tree.contexts();
  tree_bytes_ += tree.bytes();
  tree_lookups_ += tree.lookups();
  CountTable& thread = tree_of(thread_name);
  const auto visit = [&](Row parent, NodeAddress caller, std::uint32_t slot, NodeAddress callee, std::uint64_t calls) {
    const MethodId caller_method = node_at(caller).method;
    const MethodId callee_method =
        callee != 0 ? node_at(callee).method : methods_[caller_method].sites[slot - 1].callee;
    if (callee_method == kNoMethod) return parent;  // the owner is just adding it
    const profile::MethodId method = names_.id_of(callee_method);
    const std::uint32_t site = site_of(caller_method, slot);
    const Row context = context_of(parent, method, site);
    count(thread, context, calls);
    if (calls > 0 && callee != 0) ++counted;
    if (calls > 0 && caller != tree.root()) {
      const std::uint32_t edge = edges_.find_or_add({names_.id_of(caller_method), site, method});
      if (edge != CountTable::kNoRow) edges_.add(edge, calls);
    }
    return context;
  };
  tree.walk(Row{profile::kNone}, visit);
  if (const std::uint64_t calls = tree.overflow_calls(); calls > 0) count(thread, overflow(), calls);
  return counted;
}

profile::ProfileData Gathering::to_profile() const {
  profile::ProfileData data;
  data.identity.call_sites = call_sites_;
  data.metrics = {{profile::kCalls, "", profile::MetricKind::kExact, 0}};
  data.methods = names_.list();
  for (std::size_t row = 0; row < contexts_.size(); ++row) {
    const auto& [parent, method, site] = contexts_.key(row);
    data.contexts.parent.push_back(parent);
    data.contexts.method.push_back(method);
    data.contexts.site.push_back(site);
  }
  data.contexts.columns = {column_of(contexts_)};
  for (std::size_t row = 0; row < edges_.size(); ++row) {
    const auto& [caller, site, callee] = edges_.key(row);
    data.edges.caller.push_back(caller);
    data.edges.site.push_back(site);
    data.edges.callee.push_back(callee);
  }
  data.edges.columns = {column_of(edges_)};
  for (const auto& [name, table] : by_thread_) {
    profile::Thread& thread = data.threads.emplace_back();
    thread.name = name;
    for (std::size_t row = 0; row < table.size(); ++row) thread.context.push_back(table.key(row)[0]);
    thread.columns = {column_of(table)};
  }
  data.counters["threads"] = threads_;
  data.counters["tree_contexts"] = tree_contexts_;
  data.counters["tree_bytes"] = tree_bytes_;
  data.counters["tree_lookups"] = tree_lookups_;
  return data;
}

}  // namespace bursar::core
