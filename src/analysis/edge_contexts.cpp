#include "analysis/edge_contexts.h"

#include <utility>

#include "profile/freeze.h"

namespace bursar::analysis {

bool has_only_edges(const profile::Profile& profile) {
  return profile->contexts.size() == 0 && profile->edges.size() > 0;
}

base::Result<profile::Profile> contexts_of_edges(const profile::Profile& profile) {
  profile::ProfileData data = profile.data();
  const profile::Edges& edges = data.edges;
  profile::Contexts& contexts = data.contexts;
  contexts.columns.resize(data.metrics.size());
  const auto add = [&](profile::ContextId parent, profile::MethodId method, std::uint32_t site) {
    contexts.parent.push_back(parent);
    contexts.method.push_back(method);
    contexts.site.push_back(site);
  };
  // Edges are sorted by caller.
  profile::ContextId root = profile::kNone;
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    if (edge == 0 || edges.caller[edge] != edges.caller[edge - 1]) {
      root = static_cast<profile::ContextId>(contexts.size());
      add(profile::kNone, edges.caller[edge], profile::kNoSite);
      for (std::size_t metric = 0; metric < data.metrics.size(); ++metric) {
        contexts.columns[metric].value.push_back(0);
        if (!edges.columns[metric].variance.empty()) contexts.columns[metric].variance.push_back(0);
      }
    }
    add(root, edges.callee[edge], edges.site[edge]);
    for (std::size_t metric = 0; metric < data.metrics.size(); ++metric) {
      const profile::Column& from = edges.columns[metric];
      contexts.columns[metric].value.push_back(from.value[edge]);
      if (!from.variance.empty()) contexts.columns[metric].variance.push_back(from.variance[edge]);
    }
  }
  return profile::freeze(std::move(data));
}

}  // namespace bursar::analysis
