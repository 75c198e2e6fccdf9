#include "analysis/devirtualisation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "analysis/call_graph.h"
#include "analysis/metric_weights.h"

namespace bursar::analysis {
namespace {

// What methods are called: name and descriptor, numbered.
class Names {
 public:
  explicit Names(const std::vector<profile::Method>& methods) {
    std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> numbers;
    for (const profile::Method& method : methods) {
      const bool callable =
          (method.kind == profile::MethodKind::kJava || method.kind == profile::MethodKind::kNative) &&
          !method.name.starts_with('<');
      if (!callable) {
        number_.push_back(profile::kNone);
        continue;
      }
      const auto next = static_cast<std::uint32_t>(numbers.size());
      number_.push_back(numbers.try_emplace({method.name, method.descriptor}, next).first->second);
    }
  }

  // kNone for constructors, class initialisers and stand-ins.
  std::uint32_t of(profile::MethodId method) const { return number_[method]; }

 private:
  std::vector<std::uint32_t> number_;  // by method
};

using Site = std::tuple<profile::MethodId, std::uint32_t, std::uint32_t>;  // caller, place, name
using Caller = std::pair<profile::MethodId, std::uint32_t>;                // of the caller, and from where

struct Targets {
  std::map<profile::MethodId, double> calls;

  double total() const {
    double sum = 0;
    for (const auto& [callee, count] : calls) sum += count;
    return sum;
  }
  std::pair<profile::MethodId, double> main() const {
    return *std::ranges::max_element(calls, {}, [](const auto& target) { return target.second; });
  }
};

std::map<Site, Targets> targets_of_edges(const profile::Profile& profile, std::size_t metric, const Names& names) {
  std::map<Site, Targets> sites;
  for (const CallEdge& edge : call_graph(profile, metric).edges) {
    const std::uint32_t name = names.of(edge.callee);
    if (name != profile::kNone && edge.weight > 0) {
      sites[{edge.caller, edge.site, name}].calls[edge.callee] += edge.weight;
    }
  }
  return sites;
}

std::map<Site, std::map<Caller, Targets>> targets_in_contexts(const profile::Profile& profile, std::size_t metric,
                                                              const Names& names) {
  const profile::Contexts& contexts = profile->contexts;
  const std::vector<double> weights = weights_of(contexts.columns[metric], profile->metrics[metric]);
  std::map<Site, std::map<Caller, Targets>> sites;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const profile::ContextId caller = contexts.parent[i];
    if (caller == profile::kNone || weights[i] <= 0 || names.of(contexts.method[i]) == profile::kNone) continue;
    const profile::ContextId above = contexts.parent[caller];
    const Caller from = above == profile::kNone ? Caller(profile::kNone, profile::kNoSite)
                                                : Caller(contexts.method[above], contexts.site[caller]);
    const Site site(contexts.method[caller], contexts.site[i], names.of(contexts.method[i]));
    sites[site][from].calls[contexts.method[i]] += weights[i];
  }
  return sites;
}

SiteTarget described(const Site& site, const Targets& targets, TargetKind kind) {
  const double total = targets.total();
  const auto [callee, calls] = targets.main();
  return {.caller = std::get<0>(site),
          .site = std::get<1>(site),
          .callee = callee,
          .kind = kind,
          .targets = targets.calls.size(),
          .calls = total,
          .target_share = calls / total};
}

// Targets of sites that have several.
std::set<profile::MethodId> virtual_targets(const std::map<Site, Targets>& sites) {
  std::set<profile::MethodId> found;
  for (const auto& [site, targets] : sites) {
    if (targets.calls.size() == 1) continue;
    for (const auto& [callee, calls] : targets.calls) found.insert(callee);
  }
  return found;
}

std::optional<SiteTarget> main_overall(const Site& site, const Targets& targets,
                                       const std::set<profile::MethodId>& virtual_ones) {
  if (targets.calls.size() == 1) {
    if (!virtual_ones.contains(targets.calls.begin()->first)) return std::nullopt;
    return described(site, targets, TargetKind::kOnlyTarget);
  }
  SiteTarget found = described(site, targets, TargetKind::kMainTarget);
  if (found.target_share < kMainShare) return std::nullopt;
  return found;
}

std::optional<SiteTarget> main_in_context(const Site& site, const std::map<Caller, Targets>& by_caller) {
  Targets overall;
  double in_dominated = 0, main_calls = 0;
  for (const auto& [caller, targets] : by_caller) {
    const double total = targets.total();
    const auto [callee, calls] = targets.main();
    for (const auto& [each, count] : targets.calls) overall.calls[each] += count;
    if (calls < kMainShare * total) continue;
    in_dominated += total;
    main_calls += calls;
  }
  SiteTarget found = described(site, overall, TargetKind::kInContext);
  const bool dominated = in_dominated >= kMainShare * found.calls;
  if (found.targets == 1 || found.target_share >= kMainShare || !dominated) return std::nullopt;
  found.target_share = main_calls / in_dominated;
  found.contexts = by_caller.size();
  return found;
}

}  // namespace

std::string_view word_for(TargetKind kind) {
  switch (kind) {
    case TargetKind::kOnlyTarget:
      return "only_target";
    case TargetKind::kMainTarget:
      return "main_target";
    case TargetKind::kInContext:
      return "in_context";
  }
  return "unknown";
}

std::vector<SiteTarget> site_targets(const profile::Profile& profile, std::size_t metric, double least_calls) {
  const Names names(profile->methods);
  std::vector<SiteTarget> found;
  const auto keep = [&](const std::optional<SiteTarget>& target) {
    if (target && target->calls >= least_calls) found.push_back(*target);
  };
  const std::map<Site, Targets> sites = targets_of_edges(profile, metric, names);
  const std::set<profile::MethodId> virtual_ones = virtual_targets(sites);
  for (const auto& [site, targets] : sites) keep(main_overall(site, targets, virtual_ones));
  for (const auto& [site, by_caller] : targets_in_contexts(profile, metric, names)) {
    keep(main_in_context(site, by_caller));
  }
  std::ranges::sort(found, [](const SiteTarget& a, const SiteTarget& b) {
    return std::tuple(-a.calls, a.caller, a.site, a.callee, a.kind) <
           std::tuple(-b.calls, b.caller, b.site, b.callee, b.kind);
  });
  return found;
}

}  // namespace bursar::analysis
