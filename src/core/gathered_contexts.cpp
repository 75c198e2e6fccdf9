#include "core/gathered_contexts.h"

#include <algorithm>
#include <numeric>
#include <utility>

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
  const CountTable::Key key = key_of(parent, method, site);
  const Row known = contexts_.find(key);
  if (known != CountTable::kNoRow) return known;
  const Row added = own_contexts() < max_contexts_ ? contexts_.find_or_add(key) : CountTable::kNoRow;
  return added != CountTable::kNoRow ? added : overflow();
}

GatheredContexts::Row GatheredContexts::find_context(Row parent, profile::MethodId method, std::uint32_t site) const {
  return contexts_.find(key_of(parent, method, site));
}

std::vector<GatheredContexts::Row> GatheredContexts::keep_hottest(std::vector<std::uint64_t> heat, std::uint64_t most) {
  if (overflow() == CountTable::kNoRow) return {};
  const auto size = static_cast<Row>(contexts_.size());
  heat.resize(size);
  for (Row row = size; row-- > 0;) {
    const Row parent = contexts_.key(row)[0];
    if (parent != profile::kNone) heat[parent] += heat[row];
  }
  // A parent is no colder than what is below it, and comes first where they are equal: it stays if that does.
  std::vector<Row> order(size);
  std::iota(order.begin(), order.end(), Row{0});
  std::erase(order, overflow_);
  most = std::min<std::uint64_t>(most, order.size());
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(most);
  std::nth_element(order.begin(), end, order.end(),
                   [&](Row a, Row b) { return std::pair(heat[b], a) < std::pair(heat[a], b); });
  std::vector<bool> kept(size);
  std::for_each(order.begin(), end, [&](Row row) { kept[row] = true; });
  CountTable rest;
  const Row overflow = rest.find_or_add(contexts_.key(overflow_));
  if (overflow == CountTable::kNoRow) return {};
  std::vector<Row> now(size, overflow);
  for (Row row = 0; row < size; ++row) {
    auto [parent, method, site] = contexts_.key(row);
    if (kept[row] && (parent == profile::kNone || now[parent] != overflow)) {
      const Row added = rest.find_or_add({parent == profile::kNone ? parent : now[parent], method, site});
      if (added != CountTable::kNoRow) now[row] = added;
    }
    rest.add(now[row], contexts_.counts()[row]);
  }
  contexts_ = std::move(rest);
  overflow_ = overflow;
  return now;
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
