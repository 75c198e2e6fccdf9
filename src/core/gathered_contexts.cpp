#include "core/gathered_contexts.h"

namespace bursar::core {
namespace {

profile::Column column_of(const CountTable& table) {
  return {table.counts(), {}};
}

}  // namespace

GatheredContexts::Row GatheredContexts::overflow() {
  if (overflow_ == profile::kNone) {
    overflow_ = contexts_.find_or_add({profile::kNone, names_.overflow(), profile::kNoSite});
  }
  return overflow_;
}

GatheredContexts::Row GatheredContexts::context_of(Row parent, profile::MethodId method, std::uint32_t site) {
  if (parent != profile::kNone && parent == overflow_) return overflow_;
  const CountTable::Key key = {parent, method, call_sites_ && parent != profile::kNone ? site : profile::kNoSite};
  const Row known = contexts_.find(key);
  if (known != CountTable::kNoRow) return known;
  const std::size_t own = contexts_.size() - (overflow_ == profile::kNone ? 0 : 1);
  const Row added = own < max_contexts_ ? contexts_.find_or_add(key) : CountTable::kNoRow;
  return added != CountTable::kNoRow ? added : overflow();
}

void GatheredContexts::count(CountTable& thread, Row context, std::uint64_t more) {
  if (more == 0 || context == CountTable::kNoRow) return;
  contexts_.add(context, more);
  const std::uint32_t row = thread.find_or_add({context, 0, 0});
  if (row != CountTable::kNoRow) thread.add(row, more);
}

GatheredContexts::Row GatheredContexts::count_edge(profile::MethodId caller, std::uint32_t site,
                                                   profile::MethodId callee, std::uint64_t more) {
  const std::uint32_t edge = edges_.find_or_add({caller, site, callee});
  if (edge != CountTable::kNoRow) edges_.add(edge, more);
  return edge;
}

profile::ProfileData GatheredContexts::to_profile(const profile::Metric& metric, const ByThread& threads) const {
  profile::ProfileData data;
  data.identity.call_sites = call_sites_;
  data.metrics = {metric};
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
  for (const auto& [name, table] : threads) {
    profile::Thread& thread = data.threads.emplace_back();
    thread.name = name;
    for (std::size_t row = 0; row < table.size(); ++row) thread.context.push_back(table.key(row)[0]);
    thread.columns = {column_of(table)};
  }
  return data;
}

}  // namespace bursar::core
