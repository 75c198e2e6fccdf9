#include "analysis/call_graph.h"

#include <algorithm>

#include "analysis/link.h"
#include "analysis/metric_weights.h"
#include "analysis/numbering.h"

namespace bursar::analysis {
namespace {

std::vector<CallEdge> recorded_edges(const profile::ProfileData& data, std::size_t metric) {
  const profile::Edges& edges = data.edges;
  if (edges.size() == 0) return {};
  const std::vector<double> weights = weights_of(edges.columns[metric], data.metrics[metric]);
  const std::vector<double> variances = variances_of(edges.columns[metric], data.metrics[metric]);
  std::vector<CallEdge> recorded;
  recorded.reserve(edges.size());
  for (std::size_t i = 0; i < edges.size(); ++i) {
    recorded.push_back({edges.caller[i], edges.site[i], edges.callee[i], weights[i], variances[i]});
  }
  return recorded;
}

std::vector<CallEdge> derived_edges(const profile::ProfileData& data, std::size_t metric) {
  const profile::Contexts& contexts = data.contexts;
  const std::vector<double> weights = weights_of(contexts.columns[metric], data.metrics[metric]);
  const std::vector<double> variances = variances_of(contexts.columns[metric], data.metrics[metric]);
  std::vector<CallEdge> derived;
  Numbering<Link, LinkHash> numbers(data.methods.size());
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    if (contexts.parent[i] == profile::kNone) continue;
    const Link link{contexts.method[contexts.parent[i]], contexts.site[i], contexts.method[i]};
    const std::uint32_t number = numbers.of(link);
    if (number == derived.size()) derived.push_back({link.from, link.site, link.to, 0, 0});
    derived[number].weight += weights[i];
    derived[number].variance += variances[i];
  }
  return derived;
}

}  // namespace

CallGraph call_graph(const profile::Profile& profile, std::size_t metric) {
  CallGraph graph;
  graph.edges = recorded_edges(profile.data(), metric);
  graph.derived = std::ranges::none_of(graph.edges, [](const CallEdge& edge) { return edge.weight > 0; });
  if (graph.derived) graph.edges = derived_edges(profile.data(), metric);
  graph.sites = std::ranges::any_of(graph.edges, [](const CallEdge& edge) { return edge.site != profile::kNoSite; });
  return graph;
}

}  // namespace bursar::analysis
