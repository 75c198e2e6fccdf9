#include "core/profile_map.h"

#include <vector>

#include "profile/saturating.h"

namespace bursar::core {

bool counts_whole_stacks(const profile::Metric& metric) {
  return metric.kind == profile::MetricKind::kSamples && metric.name == profile::kSamples;
}

ContextMap map_of_contexts(const profile::Profile& profile, std::size_t metric) {
  const profile::Contexts& contexts = profile->contexts;
  ContextMap map({.shape = ContextMap::Shape::kTree, .max_contexts = contexts.size(), .max_calls = contexts.size()});
  if (contexts.size() == 0) return map;
  std::vector<std::uint64_t> counts = contexts.columns[metric].value;
  if (counts_whole_stacks(profile->metrics[metric])) {
    for (std::size_t i = counts.size(); i-- > 0;) {
      const profile::ContextId parent = contexts.parent[i];
      if (parent != profile::kNone) counts[parent] = profile::saturating_add(counts[parent], counts[i]);
    }
  }
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const profile::ContextId parent = contexts.parent[i];
    const profile::MethodId caller = parent == profile::kNone ? profile::kNone : contexts.method[parent];
    map.add_context(parent, caller, {contexts.method[i], contexts.site[i]}, counts[i]);
  }
  map.sort_by_heat();
  return map;
}

ContextMap map_of_edges(const profile::Profile& profile, std::size_t metric) {
  const profile::Edges& edges = profile->edges;
  ContextMap map({.shape = ContextMap::Shape::kTree, .max_contexts = 0, .max_calls = edges.size()});
  for (std::size_t i = 0; i < edges.size(); ++i) {
    map.add_call(edges.caller[i], edges.site[i], edges.callee[i], edges.columns[metric].value[i]);
  }
  return map;
}

}  // namespace bursar::core
