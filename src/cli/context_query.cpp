#include "cli/context_query.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "analysis/metric_weights.h"
#include "core/profile_map.h"

namespace bursar::cli {

namespace {

using analysis::Amount;
using core::ContextMap;
using core::ContextQuestions;
using profile::kNone;

// Totals by site that contexts do not have. Edges of samples are those of the innermost frames only: another number.
ContextMap map_beside(const profile::Profile& profile, std::size_t metric) {
  const bool wanted = !profile->identity.call_sites && !core::counts_whole_stacks(profile->metrics[metric]) &&
                      std::ranges::any_of(profile->edges.site, [](auto site) { return site != profile::kNoSite; });
  return wanted ? core::map_of_edges(profile, metric) : ContextMap();
}

}  // namespace

ContextQuery::ContextQuery(const profile::Profile& profile, std::size_t metric)
    : data_(profile.data()),
      metric_(metric),
      step_(analysis::step_of(profile->metrics[metric])),
      map_(core::map_of_contexts(profile, metric)),
      edge_map_(map_beside(profile, metric)),
      questions_(map_) {
  if (data_.contexts.size() == 0) return;
  double variance = 0;
  for (const std::uint64_t value : data_.contexts.columns[metric].value) total_.value += static_cast<double>(value);
  for (const profile::Uint128 each : data_.contexts.columns[metric].variance) variance += static_cast<double>(each);
  total_ = {total_.value * step_, std::sqrt(variance) * step_};
}

Amount ContextQuery::amount_of(std::span<const Index> refs) const {
  double value = 0;
  double variance = 0;
  const profile::Column& column = data_.contexts.columns[metric_];
  for (const Index ref : refs) {
    value += static_cast<double>(map_.refs()[ref].count);
    if (!column.variance.empty()) variance += static_cast<double>(column.variance[ref]);
  }
  return {value * step_, std::sqrt(variance) * step_};
}

// Edges are all different, so Callee i of their map is edge i.
Amount ContextQuery::amount_of_edges(std::span<const Index> callees) const {
  double value = 0;
  double variance = 0;
  const profile::Column& column = data_.edges.columns[metric_];
  for (const Index callee : callees) {
    value += static_cast<double>(column.value[callee]);
    if (!column.variance.empty()) variance += static_cast<double>(column.variance[callee]);
  }
  return {value * step_, std::sqrt(variance) * step_};
}

std::vector<std::uint32_t> ContextQuery::call_sites_of(profile::MethodId method) const {
  const ContextMap& known = contexts_know_sites() ? map_ : edge_map_;
  std::vector<std::uint32_t> sites;
  if (method >= known.methods().size()) return sites;
  for (Index site = known.methods()[method].first_site; site != kNone; site = known.sites()[site].next_of_method) {
    if (known.sites()[site].bci != profile::kNoSite) sites.push_back(known.sites()[site].bci);
  }
  std::ranges::sort(sites);
  return sites;
}

std::vector<HotCall> ContextQuery::hottest_calls(std::size_t top) const {
  std::vector<Index> order;
  for (Index callee = 0; callee < map_.callees().size(); ++callee) {
    if (map_.callees()[callee].total > 0) order.push_back(callee);
  }
  const auto end = order.begin() + static_cast<std::ptrdiff_t>(std::min(top, order.size()));
  const auto key = [&](Index callee) {
    const ContextMap::Callee& call = map_.callees()[callee];
    const ContextMap::CallSite& site = map_.sites()[call.site];
    return std::tuple(~call.total, site.caller, site.bci, call.method);
  };
  std::ranges::partial_sort(order, end, std::less(), key);
  order.erase(end, order.end());

  std::vector<HotCall> calls;
  for (const Index callee : order) {
    const ContextMap::Callee& call = map_.callees()[callee];
    const ContextMap::CallSite& site = map_.sites()[call.site];
    const std::vector<Index> contexts = questions_.hottest(questions_.contexts_of(callee), call.refs);
    std::uint64_t sum = 0;
    std::size_t half_in = 0;
    while (half_in < contexts.size() && sum < call.total - call.total / 2)
      sum += map_.refs()[contexts[half_in++]].count;
    calls.push_back({.caller = site.caller,
                     .site = site.bci,
                     .callee = call.method,
                     .amount = amount_of(contexts),
                     .contexts = contexts.size(),
                     .half_in = half_in,
                     .only_target = questions_.only_target(call.site) != kNone});
  }
  return calls;
}

std::vector<CallTarget> ContextQuery::callers_of(std::span<const Index> ends, std::size_t path_size) const {
  std::map<profile::MethodId, std::vector<Index>> by_caller;
  for (const Index end : ends) {
    Index at = end;
    for (std::size_t i = 0; i < path_size && at != kNone; ++i) at = map_.refs()[at].parent;
    if (at != kNone) by_caller[map_.refs()[at].method].push_back(end);
  }
  std::vector<CallTarget> callers;
  callers.reserve(by_caller.size());
  for (const auto& [method, refs] : by_caller) callers.push_back({method, amount_of(refs)});
  std::ranges::stable_sort(callers, std::greater(), [](const CallTarget& caller) { return caller.amount.value; });
  return callers;
}

std::vector<CallsFrom> ContextQuery::calls_in(std::span<const Index> ends, const ContextQuestions::Step& last) const {
  std::map<std::uint32_t, std::size_t> overall;
  for (const auto& site : questions_.targets_of(last.method)) overall[site.bci] = site.targets.size();
  std::vector<CallsFrom> calls;
  for (const auto& site : questions_.targets_in(ends)) {
    if (last.site && site.bci != *last.site) continue;
    CallsFrom& from = calls.emplace_back();
    from.site = site.bci;
    from.targets_overall = overall[site.bci];
    std::vector<Index> all;
    for (const auto& target : site.targets) {
      from.targets.push_back({target.method, amount_of(target.nodes)});
      all.insert(all.end(), target.nodes.begin(), target.nodes.end());
    }
    from.amount = amount_of(all);
  }
  return calls;
}

std::vector<CallsFrom> ContextQuery::recorded_sites(const ContextQuestions::Step& last) const {
  std::vector<CallsFrom> sites;
  for (const auto& site : ContextQuestions(edge_map_).targets_of(last.method)) {
    if (last.site && site.bci != *last.site) continue;
    CallsFrom& from = sites.emplace_back();
    from.site = site.bci;
    from.targets_overall = site.targets.size();
    std::vector<Index> all;
    for (const auto& target : site.targets) {
      from.targets.push_back({target.method, amount_of_edges(target.nodes)});
      all.insert(all.end(), target.nodes.begin(), target.nodes.end());
    }
    from.amount = amount_of_edges(all);
  }
  return sites;
}

PathAnswer ContextQuery::answer(Path path, bool from_root, std::size_t top) const {
  PathAnswer answer;
  std::vector<Index> ends = questions_.ends_of(path);
  if (from_root) {
    std::erase_if(ends, [&](Index end) { return questions_.stack_of(end).size() != path.size(); });
  }
  answer.amount = amount_of(ends);
  answer.contexts = ends.size();
  answer.method = amount_of(questions_.ends_of(path.last(1)));
  answer.last_call = path.size() > 1 ? amount_of(questions_.ends_of(path.last(2))) : answer.method;
  for (const Index context : questions_.hottest(ends, top)) {
    if (map_.refs()[context].count == 0) break;
    answer.hottest.emplace_back(context, amount_of(std::span(&context, 1)));
  }
  answer.callers = callers_of(ends, path.size());
  // Without sites, only what edges say of a site is an answer about it.
  if (contexts_know_sites() || !path.back().site) answer.calls = calls_in(ends, path.back());
  answer.sites = recorded_sites(path.back());
  return answer;
}

}  // namespace bursar::cli
