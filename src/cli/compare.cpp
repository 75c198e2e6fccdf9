// bursar compare: how accurate one profile is, another taken as the truth.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "analysis/comparison.h"
#include "cli/amount.h"
#include "cli/files.h"
#include "cli/message.h"
#include "cli/table.h"
#include "cli/text.h"
#include "cli/verb.h"

namespace bursar::cli {

namespace {

using analysis::Comparison;
using nlohmann::ordered_json;

struct CompareVerbOptions {
  std::string truth;
  std::string estimate;
  std::string metric, estimate_metric;
  bool json = false;
};

template <class T>
void set_if_known(ordered_json& object, const char* key, const std::optional<T>& value) {
  if (value) object[key] = *value;
}

ordered_json side_json(const analysis::ComparedSide& side) {
  ordered_json object;
  if (side.metric) {
    object["metric"] = side.metric->name;
    object["kind"] = profile::kind_word(side.metric->kind);
  }
  object["nodes"] = side.nodes;
  object["total"] = number(side.total, side.metric.value_or(profile::Metric{}));
  object["overflow_share"] = side.overflow_share;
  return object;
}

// Measures that could not be taken are left out, but for the three that every reader relies on: they are null.
ordered_json comparison_json(const Comparison& result) {
  ordered_json object;
  object["overlap"] = result.overlap ? ordered_json(*result.overlap) : ordered_json();
  ordered_json& coverage = object["hot_edge_coverage"] = ordered_json::object();
  for (const analysis::CoverageAt& at : result.hot_edge_coverage) {
    coverage[analysis::threshold_key(at.threshold_percent)] = at.coverage;
  }
  object["call_graph_overlap"] = result.call_graph ? ordered_json(result.call_graph->all) : ordered_json();
  if (result.call_graph) {
    set_if_known(object, "call_graph_overlap_without_trivial", result.call_graph->without_trivial);
    object["call_graph"] = {{"by_site", result.call_graph->by_site()},
                            {"edges_truth", result.call_graph->edges_truth},
                            {"edges_estimate", result.call_graph->edges_estimate},
                            {"edges_common", result.call_graph->edges_common}};
  }
  object["nodes_truth"] = result.truth.nodes;
  object["nodes_estimate"] = result.estimate.nodes;
  object["nodes_common"] = result.nodes_common;
  set_if_known(object, "counter_node_overlap", result.counter_node_overlap);
  set_if_known(object, "method_correlation", result.method_correlation);
  set_if_known(object, "path_accuracy", result.path_accuracy);
  set_if_known(object, "edge_relative_overlap", result.edge_relative_overlap);
  set_if_known(object, "edge_absolute_overlap", result.edge_absolute_overlap);
  if (result.intervals) {
    object["intervals_95"] = {{"contexts", result.intervals->contexts},
                              {"held", result.intervals->held},
                              {"missing", result.intervals->missing},
                              {"percent", result.intervals->percent}};
  }
  object["truth"] = side_json(result.truth);
  object["estimate"] = side_json(result.estimate);
  object["overflow_is_small"] = result.overflow_is_small();
  object["notes"] = result.notes;
  return object;
}

class ComparisonText {
 public:
  ComparisonText(const Comparison& result, const CompareVerbOptions& options)
      : result_(result), options_(options), terminal_(Terminal::detect()) {}

  std::string make() {
    side("truth", options_.truth, result_.truth);
    side("estimate", options_.estimate, result_.estimate);
    text_ += fmt::format("  {} in both\n", counted(result_.nodes_common, "context"));
    for (const std::string& note : result_.notes) text_ += fmt::format("  note: {}\n", printable(note));
    measures();
    coverage();
    return std::move(text_);
  }

 private:
  void side(std::string_view role, const std::string& file, const analysis::ComparedSide& side) {
    const std::string what =
        side.metric ? fmt::format("{} {} in ", grouped(side.total), column_header(*side.metric)) : std::string();
    text_ += fmt::format("{}  {}: {}{}\n", bold(fmt::format("{:<8}", role), terminal_), printable(file), what,
                         counted(side.nodes, "context"));
  }

  void measures() {
    Table table({"%"}, "measure");
    const auto add = [&table](const std::optional<double>& value, std::string what) {
      if (value) table.add({fmt::format("{:.2f}", *value)}, std::move(what));
    };
    add(result_.overlap, "overlap of the context trees");
    if (result_.call_graph) {
      const std::string by = result_.call_graph->by_site() ? "caller, site, callee" : "caller, callee";
      add(result_.call_graph->all, fmt::format("overlap of the call graphs ({}; {} edges in both)", by,
                                               grouped(std::uint64_t{result_.call_graph->edges_common})));
      add(result_.call_graph->without_trivial, "overlap of the call graphs without trivial callees");
    }
    add(result_.counter_node_overlap, "overlap of all counters of a call context map");
    add(result_.method_correlation, "correlation of method totals");
    add(result_.path_accuracy, "path accuracy");
    add(result_.edge_relative_overlap, "relative overlap of branches");
    add(result_.edge_absolute_overlap, "absolute overlap of branches");
    if (const auto& held = result_.intervals) {
      add(held->percent, fmt::format("of the {} hottest contexts lie in their stated 95 % interval",
                                     grouped(std::uint64_t{held->contexts})));
    }
    text_ += "\n" + bold("Accuracy", terminal_) + "\n" + table.layout(terminal_);
  }

  void coverage() {
    if (result_.hot_edge_coverage.empty()) return;
    Table table({"at", "covered"}, "");
    for (const analysis::CoverageAt& at : result_.hot_edge_coverage) {
      if (at.threshold_percent % 10 != 0 && at.threshold_percent != 5) continue;
      table.add({fmt::format("{} %", at.threshold_percent), fmt::format("{:.2f} %", at.coverage)}, bar(at.coverage));
    }
    text_ += "\n" + bold("Hot-edge coverage", terminal_) +
             "  (of the edges this hot, compared with the hottest, how many are so in both)\n" +
             table.layout(terminal_);
  }

  std::string bar(double percent) const {
    std::string text;
    for (int i = 0; i < std::lround(percent / 5); ++i) text += terminal_.utf8 ? "▆" : "#";
    return text;
  }

  const Comparison& result_;
  const CompareVerbOptions& options_;
  Terminal terminal_;
  std::string text_;
};

void warn_of_overflow(std::string_view role, const analysis::ComparedSide& side) {
  if (side.overflow_share < analysis::kOverflowLimit) return;
  say(fmt::format(
      "warning: {:.2f} % of the {}'s {} lie beyond its limit of contexts; accuracy figures count only below {} %",
      side.overflow_share, role, side.metric ? column_header(*side.metric) : "calls", analysis::kOverflowLimit));
}

base::Status compare(const CompareVerbOptions& options, Output& out) {
  const auto truth = read_profile(options.truth);
  if (!truth) return truth.error();
  const auto estimate = read_profile(options.estimate);
  if (!estimate) return estimate.error();
  const auto result = [&] {
    const Progress progress("comparing");
    return analysis::compare(
        *truth, *estimate,
        {.truth_metric = options.metric,
         .estimate_metric = options.estimate_metric.empty() ? options.metric : options.estimate_metric});
  }();
  if (!result) return result.error();
  warn_of_overflow("truth", result->truth);
  warn_of_overflow("estimate", result->estimate);
  out.write(options.json ? json_text(comparison_json(*result)) : ComparisonText(*result, options).make());
  return base::Done{};
}

Action declare(CLI::App& app) {
  const auto options = std::make_shared<CompareVerbOptions>();
  app.add_option("TRUTH", options->truth, "The profile to measure against")->required();
  app.add_option("ESTIMATE", options->estimate, "The profile to be measured")->required();
  app.add_option("--metric", options->metric,
                 "Which numbers, on both sides; calls if there are any, else weights, else samples")
      ->type_name("NAME");
  app.add_option(
         "--estimate-metric", options->estimate_metric,
         "Other ones on the estimate's side: of mode cbs, uncorrected is what its weights were without correction")
      ->type_name("NAME");
  app.add_flag("--json", options->json, "For programs");
  return [options](Output& out) { return compare(*options, out); };
}

}  // namespace

const Verb kCompareVerb = {
    .name = "compare",
    .summary = "How accurate is a profile? Overlap, hot-edge coverage, call graph, paths, branches",
    .examples =
        "  bursar compare exact.bursar adaptive.bursar\n"
        "  bursar compare exact.bursar adaptive.bursar --json | jq .overlap\n",
    .declare = declare,
};

}  // namespace bursar::cli
