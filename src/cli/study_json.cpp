#include "cli/study_json.h"

#include <optional>
#include <utility>

#include "analysis/hot_edge_coverage.h"
#include "cli/scheme_options.h"

namespace bursar::cli {

namespace {

using nlohmann::ordered_json;

ordered_json json_of(const std::optional<double>& percent) {
  return percent ? ordered_json(*percent) : ordered_json();
}

ordered_json accuracy_json(const Accuracy& accuracy) {
  return {{"overlap", json_of(accuracy.overlap)},
          {"hot_edge_coverage", {{analysis::threshold_key(kHotEdgePercent), json_of(accuracy.hot_edge_coverage)}}},
          {"call_graph_overlap", json_of(accuracy.call_graph_overlap)},
          {"call_graph_overlap_without_trivial", json_of(accuracy.call_graph_overlap_without_trivial)}};
}

}  // namespace

ordered_json study_json(const Study& study, const StudyPlan& plan) {
  ordered_json object;
  object["events"] = study.events;
  object["calls"] = study.calls;
  object["threads"] = study.threads;
  object["contexts"] = study.contexts;
  object["complete"] = study.shortcoming.empty();
  if (!study.shortcoming.empty()) object["shortcoming"] = study.shortcoming;
  object["dropped"] = study.dropped;
  object["clock"] = clock_text(plan.clock);
  ordered_json& variants = object["variants"] = ordered_json::array();
  for (std::size_t i = 0; i < study.variants.size(); ++i) {
    const Study::Variant& variant = study.variants[i];
    ordered_json row = scheme_json(plan.variants[i]);
    row["ticks"] = variant.totals.counts.ticks;
    row["bursts"] = variant.totals.counts.bursts;
    row["bursts_reenabled"] = variant.totals.counts.reenabled;
    row["bursts_disabled"] = variant.totals.counts.suppressed;
    row["disabled_percent"] = variant.disabled_percent();
    row["calls_seen"] = variant.totals.seen;
    row["calls_seen_percent"] = variant.seen_percent();
    if (plan.variants[i].kind == schemes::Kind::kCounter) row["mean_latency_ns"] = variant.mean_latency_ns();
    row.update(accuracy_json(variant.accuracy));
    for (const Moment& moment : study.moments) {
      ordered_json point = {{"events", moment.events}};
      point.update(accuracy_json(moment.variants[i]));
      row["over_time"].push_back(std::move(point));
    }
    variants.push_back(std::move(row));
  }
  return object;
}

}  // namespace bursar::cli
