#include "evaluation/accuracy.h"

#include <fmt/format.h>

#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "analysis/call_graph.h"
#include "analysis/comparison.h"
#include "analysis/metric_weights.h"

namespace bursar::evaluation {

namespace {

Json number_or_null(const std::optional<double>& value) {
  return value ? Json(*value) : Json();
}

std::optional<double> counter(const profile::Profile& profile, const char* name) {
  const auto found = profile->counters.find(name);
  if (found == profile->counters.end()) return std::nullopt;
  return static_cast<double>(found->second);
}

void set_share(Json& facts, const char* key, std::optional<double> part, std::optional<double> whole) {
  if (part && whole && *whole > 0) facts[key] = 100 * *part / *whole;
}

}  // namespace

Json size_of(const profile::Profile& profile) {
  Json size = {{"methods", profile->methods.size()}, {"graph_edges", 0}, {"contexts", profile->contexts.size()}};
  if (profile->paths.size() > 0) size["paths"] = profile->paths.size();
  const auto metric = analysis::default_metric(profile);
  if (!metric) return size;
  std::set<std::pair<profile::MethodId, profile::MethodId>> pairs;
  for (const analysis::CallEdge& edge : analysis::call_graph(profile, *metric).edges) {
    pairs.emplace(edge.caller, edge.callee);
  }
  const std::vector<double> calls = analysis::weights_of(profile->contexts.columns[*metric], profile->metrics[*metric]);
  size["graph_edges"] = pairs.size();
  size["calls"] = std::accumulate(calls.begin(), calls.end(), 0.0);
  return size;
}

base::Result<Json> accuracy_of(const profile::Profile& truth, const profile::Profile& estimate) {
  const auto result = analysis::compare(truth, estimate);
  if (!result) return result.error();
  Json accuracy;
  accuracy["overlap"] = number_or_null(result->overlap);
  Json& coverage = accuracy["hot_edge_coverage"] = Json::object();
  for (const analysis::CoverageAt& at : result->hot_edge_coverage) {
    coverage[analysis::threshold_key(at.threshold_percent)] = at.coverage;
  }
  accuracy["call_graph_overlap"] = result->call_graph ? Json(result->call_graph->all) : Json();
  accuracy["call_graph_overlap_without_trivial"] =
      result->call_graph ? number_or_null(result->call_graph->without_trivial) : Json();
  accuracy["nodes_truth"] = result->truth.nodes;
  accuracy["nodes_estimate"] = result->estimate.nodes;
  accuracy["nodes_common"] = result->nodes_common;
  const auto set = [&accuracy](const char* key, const std::optional<double>& value) {
    if (value) accuracy[key] = *value;
  };
  set("path_accuracy", result->path_accuracy);
  set("edge_relative_overlap", result->edge_relative_overlap);
  set("edge_absolute_overlap", result->edge_absolute_overlap);
  if (result->intervals) accuracy["intervals_held"] = result->intervals->percent;
  accuracy["notes"] = result->notes;
  if (!result->overflow_is_small()) {
    accuracy["notes"].push_back(
        fmt::format("{} % of the calls or more lie beyond a limit of contexts: accuracy figures do not count",
                    analysis::kOverflowLimit));
  }
  return accuracy;
}

Json run_facts(const profile::Profile& profile) {
  Json facts = Json::object();
  for (const char* name : {"ticks", "windows", "bursts_begun", "bursts_disabled", "path_samples"}) {
    if (const auto value = counter(profile, name)) facts[name] = *value;
  }
  const auto begun = counter(profile, "bursts_begun"), disabled = counter(profile, "bursts_disabled");
  if (begun && disabled) set_share(facts, "disabled_share", disabled, *begun + *disabled);
  const auto process = counter(profile, "process_cpu_ns");
  set_share(facts, "overhead", counter(profile, "profiler_cpu_ns"), process);
  set_share(facts, "overhead", counter(profile, "sampling_cpu_ns"), process);
  set_share(facts, "rewriting", counter(profile, "rewriting_cpu_ns"), process);
  return facts;
}

}  // namespace bursar::evaluation
