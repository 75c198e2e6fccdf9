#include "analysis/inline_advice.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "analysis/metric_weights.h"

namespace bursar::analysis {
namespace {

std::vector<double> invocations_of(const profile::ProfileData& data, std::size_t metric, const CallGraph& graph) {
  std::vector<double> invocations(data.methods.size(), 0.0);
  for (const CallEdge& edge : graph.edges) invocations[edge.callee] += edge.weight;
  const std::vector<double> weights = weights_of(data.contexts.columns[metric], data.metrics[metric]);
  for (std::size_t i = 0; i < data.contexts.size(); ++i) {
    if (data.contexts.parent[i] == profile::kNone) invocations[data.contexts.method[i]] += weights[i];
  }
  return invocations;
}

InlineReason reason_for(const CallEdge& edge, const profile::Method& callee, const InlineRules& rules, double share) {
  if (callee.kind != profile::MethodKind::kJava) return InlineReason::kNoBytecode;
  if (callee.code_bytes == 0) return InlineReason::kUnknownSize;
  if (edge.caller == edge.callee) return InlineReason::kRecursive;
  if (callee.code_bytes <= rules.trivial_limit) return InlineReason::kTrivial;
  const bool fits = callee.code_bytes <= rules.size_limit(share);
  if (rules.is_silent(share)) return fits ? InlineReason::kSmall : InlineReason::kTooLargeForSilent;
  return fits ? InlineReason::kFrequent : InlineReason::kTooLarge;
}

HotSpotView hotspot_view(std::uint32_t size, double per_invocation) {
  if (size <= kHotSpotMaxInlineSize) return HotSpotView::kInlines;
  const bool hot = per_invocation >= kHotSpotFrequencyRatio;
  return hot && size <= kHotSpotFreqInlineSize ? HotSpotView::kInlinesIfHot : HotSpotView::kLeaves;
}

}  // namespace

std::uint32_t InlineRules::size_limit(double share) const {
  if (is_silent(share)) return std::max(trivial_limit, silent_limit);
  const double room = max_size > static_limit ? max_size - static_limit : 0;
  const double grown = std::floor(static_limit + room * std::min(1.0, share / full_share));
  return std::max({trivial_limit, silent_limit, static_cast<std::uint32_t>(grown)});
}

std::string_view word_for(InlineReason reason) {
  switch (reason) {
    case InlineReason::kTrivial:
      return "trivial";
    case InlineReason::kSmall:
      return "small";
    case InlineReason::kFrequent:
      return "frequent";
    case InlineReason::kTooLarge:
      return "too_large";
    case InlineReason::kTooLargeForSilent:
      return "too_large_for_silent";
    case InlineReason::kRecursive:
      return "recursive";
    case InlineReason::kNoBytecode:
      return "no_bytecode";
    case InlineReason::kUnknownSize:
      return "unknown_size";
  }
  return "unknown";
}

InlineAdvice inline_advice(const profile::Profile& profile, std::size_t metric, const InlineRules& rules) {
  const profile::ProfileData& data = profile.data();
  const CallGraph graph = call_graph(profile, metric);
  InlineAdvice advice;
  advice.invocations = invocations_of(data, metric, graph);
  for (const CallEdge& edge : graph.edges) advice.total += edge.weight;
  advice.decisions.reserve(graph.edges.size());
  for (const CallEdge& edge : graph.edges) {
    const profile::Method& callee = data.methods[edge.callee];
    const double share = advice.total > 0 ? edge.weight / advice.total : 0;
    const double calls_of_caller = advice.invocations[edge.caller];
    // What nobody called, such as a root of the VM's own, runs for as long as it likes: its calls count as frequent.
    const double per_invocation = calls_of_caller > 0 ? edge.weight / calls_of_caller : 1;
    advice.decisions.push_back({.edge = edge,
                                .share = share,
                                .size = callee.code_bytes,
                                .limit = rules.size_limit(share),
                                .reason = reason_for(edge, callee, rules, share),
                                .hotspot = hotspot_view(callee.code_bytes, per_invocation)});
  }
  std::ranges::sort(advice.decisions, [](const InlineDecision& a, const InlineDecision& b) {
    return std::tuple(-a.edge.weight, a.edge.caller, a.edge.site, a.edge.callee) <
           std::tuple(-b.edge.weight, b.edge.caller, b.edge.site, b.edge.callee);
  });
  return advice;
}

}  // namespace bursar::analysis
