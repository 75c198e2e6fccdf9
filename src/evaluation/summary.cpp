#include "evaluation/summary.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "analysis/hot_edge_coverage.h"
#include "evaluation/config.h"
#include "evaluation/repetition.h"
#include "evaluation/studies.h"

namespace bursar::evaluation {

namespace {

constexpr const char* kRatios[] = {"slowdown", "first_iteration", "whole_process", "memory"};
constexpr const char* kMeansOf[] = {"overlap",
                                    "call_graph_overlap",
                                    "call_graph_overlap_without_trivial",
                                    "path_accuracy",
                                    "edge_relative_overlap",
                                    "edge_absolute_overlap",
                                    "disabled_share",
                                    "overhead",
                                    "rewriting"};
constexpr const char* kFacts[] = {"ticks",          "windows",  "bursts_begun", "bursts_disabled",
                                  "disabled_share", "overhead", "path_samples", "rewriting"};
constexpr const char* kCountsOfSimulations[] = {"ticks",           "bursts",     "bursts_reenabled",
                                                "bursts_disabled", "calls_seen", "over_time"};
constexpr const char* kSharesOfSimulations[] = {"overlap", "calls_seen_percent", "disabled_percent",
                                                "call_graph_overlap", "call_graph_overlap_without_trivial"};
constexpr const char* kAccuracies[] = {"overlap",        "call_graph_overlap",    "call_graph_overlap_without_trivial",
                                       "nodes_estimate", "nodes_common",          "intervals_held",
                                       "path_accuracy",  "edge_relative_overlap", "edge_absolute_overlap"};

// The value at the end of a path of keys; null where the path leads nowhere.
Json at(const Json& value, const std::vector<std::string>& path) {
  const Json* here = &value;
  for (const std::string& key : path) {
    if (!here->is_object() || !here->contains(key)) return nullptr;
    here = &(*here)[key];
  }
  return *here;
}

// What the rows have at the end of the path, as far as they have a number there.
std::vector<double> numbers(const std::vector<Json>& rows, const std::vector<std::string>& path) {
  std::vector<double> result;
  for (const Json& row : rows) {
    if (const Json value = at(row, path); value.is_number()) result.push_back(value.get<double>());
  }
  return result;
}

// The rows of a cell, one for each run, the newest where there are several.
std::vector<Json> rows_of(const std::vector<Json>& rows, const std::string& workload, const std::string& profiler) {
  std::vector<Json> result;
  for (const Json& row : rows) {
    if (row["workload"] != workload || row["profiler"] != profiler) continue;
    std::erase_if(result, [&row](const Json& old) { return old["run"] == row["run"]; });
    result.push_back(row);
  }
  return result;
}

// Sets `key` to the median of what the rows have at `group`.`key`, if any has it.
void set_median(Json& cell, const std::vector<Json>& rows, const std::string& group, const std::string& key) {
  if (const std::vector<double> found = numbers(rows, {group, key}); !found.empty()) cell[key] = median(found);
}

void set_coverage(Json& cell, const std::vector<Json>& rows) {
  const Json thresholds = at(rows.front(), {"accuracy", "hot_edge_coverage"});
  if (!thresholds.is_object()) return;
  Json coverage = Json::object();
  for (const auto& [threshold, value] : thresholds.items()) {
    const std::vector<double> found = numbers(rows, {"accuracy", "hot_edge_coverage", threshold});
    if (!found.empty()) coverage[threshold] = median(found);
  }
  if (!coverage.empty()) cell["hot_edge_coverage"] = coverage;
}

Json accuracy_cell(const std::vector<Json>& rows) {
  Json cell = {{"runs", 0}, {"failure", nullptr}};
  for (const Json& row : rows) {
    if (!row["failure"].is_string()) continue;
    cell["failure"] = row["failure"];
    cell["messages"] = row.value("messages", "");
    return cell;
  }
  if (rows.empty()) return cell;
  cell["runs"] = rows.size();
  for (const char* key : kAccuracies) set_median(cell, rows, "accuracy", key);
  set_coverage(cell, rows);
  if (const std::vector<double> found = numbers(rows, {"accuracy", "overlap"}); !found.empty()) {
    const auto [least, most] = std::minmax_element(found.begin(), found.end());
    cell["overlap_range"] = {*least, *most};
  }
  for (const char* key : kFacts) set_median(cell, rows, "facts", key);
  return cell;
}

void add_slowdown(Json& cell, const Json& slowdown, const std::string& workload, const std::string& profiler) {
  const Json variant = at(slowdown, {"workloads", workload, "variants", profiler});
  if (variant.is_null()) return;
  if (const Json failure = at(variant, {"failure"}); failure.is_object()) {
    cell["slowdown_failure"] = failure.value("reason", "failed");
    cell["messages"] = failure.value("messages", "");
    return;
  }
  cell["rounds"] = at(variant, {"rounds"});
  for (const char* ratio : kRatios) {
    if (const Json value = at(variant, {ratio}); value.is_object()) cell[ratio] = value;
  }
}

// What the compiler made with advice, as a multiple of what it made without.
void add_compiled(Json& cell, const std::vector<Json>& rows, const std::vector<Json>& baseline) {
  for (const auto& [ratio, key] : {std::pair{"code", "code_bytes"}, std::pair{"inlined", "inlined_calls"}}) {
    const std::vector<double> with = numbers(rows, {"compiled", key}), without = numbers(baseline, {"compiled", key});
    if (!with.empty() && !without.empty() && without.back() > 0) cell[ratio] = with.back() / without.back();
  }
  if (const std::vector<double> forced = numbers(rows, {"compiled", "forced_calls"}); !forced.empty()) {
    cell["forced"] = forced.back();
  }
}

void set_failure(Json& object, const Json& row) {
  object["failure"] = row["failure"];
  object["messages"] = row.value("messages", "");
}

Json simulation_json(const Json& row) {
  Json simulation = {{"failure", nullptr}};
  if (row["failure"].is_string()) {
    set_failure(simulation, row);
  } else {
    simulation.update(row["study"]);
  }
  return simulation;
}

// Of the variants in the list `key` of each simulation: they are the same in all.
Json mean_variants(const std::vector<Json>& simulations, const char* key) {
  Json means = simulations.front()[key];
  for (std::size_t i = 0; i < means.size(); ++i) {
    Json& variant = means[i];
    for (const char* count : kCountsOfSimulations) variant.erase(count);
    std::vector<Json> same;
    same.reserve(simulations.size());
    for (const Json& simulation : simulations) same.push_back(simulation[key][i]);
    const auto set_mean = [&same](Json& place, const std::vector<std::string>& path) {
      if (const std::vector<double> found = numbers(same, path); !found.empty()) place = mean_of(found);
    };
    for (const char* share : kSharesOfSimulations) set_mean(variant[share], {share});
    for (auto& [threshold, coverage] : variant["hot_edge_coverage"].items()) {
      set_mean(coverage, {"hot_edge_coverage", threshold});
    }
  }
  return means;
}

Json mean_simulation(const std::vector<Json>& workloads) {
  std::vector<Json> simulations;
  for (const Json& workload : workloads) {
    if (const Json each = at(workload, {"simulation"}); !at(each, {"variants"}).is_null()) simulations.push_back(each);
  }
  if (simulations.empty()) return nullptr;
  return {{"clock", simulations.front()["clock"]},
          {"workloads", simulations.size()},
          {"variants", mean_variants(simulations, "variants")},
          {"sweep", mean_variants(simulations, "sweep")}};
}

Json workload_json(const Measured& measured, const std::string& name, const std::vector<std::string>& profilers) {
  Json workload = {{"name", name}, {"failure", nullptr}};
  const char* const truth = measured.settings.contains("paths") ? kExactPaths : kExact;
  std::vector<Json> exact = rows_of(measured.rows, name, truth);
  std::vector<Json> second;
  for (const Json& row : exact) {
    if (row["run"] != 1) {
      second.push_back(row);
    } else if (row["failure"].is_string()) {
      set_failure(workload, row);
      workload["failed"] = "the truth";
    } else {
      workload["size"] = row["size"];
    }
  }
  const std::vector<Json> baseline = rows_of(measured.rows, name, kBaseline);
  for (const Json& row : baseline) {
    if (!row["failure"].is_string()) continue;
    set_failure(workload, row);
    workload["failed"] = "the program itself";
  }
  workload["ceiling"] = accuracy_cell(second);
  Json cells = Json::object(), sampling;
  for (const std::string& profiler : profilers) {
    const std::vector<Json> rows = rows_of(measured.rows, name, profiler);
    Json cell = accuracy_cell(profiler == truth ? second : rows);
    add_slowdown(cell, measured.slowdown, name, profiler);
    if (find_advised(profiler) != nullptr && cell["failure"].is_null()) add_compiled(cell, rows, baseline);
    for (const Json& row : rows) {
      if (sampling.is_null()) sampling = at(row, {"sampling"});
    }
    Json repetition = repetition_of(rows);
    if (!repetition.is_null()) cell["repetition"] = std::move(repetition);
    cells[profiler] = cell;
  }
  workload["profilers"] = std::move(cells);
  if (!sampling.is_null()) workload["sampling"] = std::move(sampling);
  for (const Json& row : rows_of(measured.rows, name, kTrace)) workload["simulation"] = simulation_json(row);
  return workload;
}

Json mean_json(const std::vector<Json>& workloads, const Json& slowdown, const std::string& profiler) {
  const auto measured_by = [&](const char* key) { return numbers(workloads, {"profilers", profiler, key}).size(); };
  Json mean = {{"workloads",
                std::max({measured_by("overlap"), measured_by("call_graph_overlap"), measured_by("path_accuracy")})}};
  for (const char* key : kMeansOf) {
    const std::vector<double> found = numbers(workloads, {"profilers", profiler, key});
    if (!found.empty()) mean[key] = mean_of(found);
  }
  Json coverage = Json::object();
  for (unsigned percent = 5; percent < 100; percent += 5) {
    const std::string threshold = analysis::threshold_key(percent);
    const std::vector<double> found = numbers(workloads, {"profilers", profiler, "hot_edge_coverage", threshold});
    if (!found.empty()) coverage[threshold] = mean_of(found);
  }
  if (!coverage.empty()) mean["hot_edge_coverage"] = coverage;
  for (const char* key : kRepetitionMeans) {
    const std::vector<double> found = numbers(workloads, {"profilers", profiler, "repetition", key});
    if (found.empty()) continue;
    mean["repetition"][key] = mean_of(found);
    mean["repetition"]["workloads"] = std::max(found.size(), mean["repetition"].value("workloads", std::size_t{0}));
  }
  for (const char* key : {"code", "inlined"}) {
    std::vector<double> found = numbers(workloads, {"profilers", profiler, key});
    for (double& ratio : found) ratio = std::log(ratio);
    if (!found.empty()) mean[key] = std::exp(mean_of(found));
  }
  const Json ratios = at(slowdown, {"geometric_mean", profiler});
  for (const char* ratio : kRatios) {
    if (const Json value = at(ratios, {ratio}); value.is_object()) mean[ratio] = value;
  }
  if (const Json measured = at(ratios, {"workloads"}); measured.is_array())
    mean["slowdown_workloads"] = measured.size();
  return mean;
}

// What compare had to say, and about which workloads unless it is all of them.
Json notes_of(const Measured& measured, const std::vector<std::string>& workloads) {
  std::map<std::string, std::set<std::string>> said;
  for (const Json& row : measured.rows) {
    if (std::find(workloads.begin(), workloads.end(), row["workload"]) == workloads.end()) continue;
    for (const Json& note : at(row, {"accuracy", "notes"})) {
      said[row["profiler"].get<std::string>() + ": " + note.get<std::string>()].insert(row["workload"]);
    }
    if (const Json why = at(row, {"study", "shortcoming"}); why.is_string()) {
      said["simulation: the trace is not of the whole run: " + why.get<std::string>()].insert(row["workload"]);
    }
  }
  Json notes = Json::array();
  for (const auto& [note, about] : said) {
    const bool everywhere = about.size() == workloads.size();
    notes.push_back(everywhere ? note : fmt::format("{} ({})", note, fmt::join(about, ", ")));
  }
  if (const Json share = at(measured.slowdown, {"other_cpu_share"}); share.is_number() && share.get<double>() > 0.05) {
    notes.push_back(fmt::format("slowdown: other processes took {:.0f} % of the machine's CPU time meanwhile",
                                100 * share.get<double>()));
  }
  return notes;
}

}  // namespace

double mean_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Json summarise(const Measured& measured, const std::vector<std::string>& workloads,
               const std::vector<std::string>& profilers) {
  Json evaluation = {{"settings", measured.settings}};
  if (const Json machine = at(measured.slowdown, {"settings", "machine"}); machine.is_string()) {
    evaluation["machine"] = machine;
  }
  evaluation["profilers"] = profilers;
  // Not built in place: a new key of an ordered object moves the others.
  Json means = Json::object();
  std::vector<Json> all;
  all.reserve(workloads.size());
  for (const std::string& name : workloads) all.push_back(workload_json(measured, name, profilers));
  for (const std::string& profiler : profilers) means[profiler] = mean_json(all, measured.slowdown, profiler);
  evaluation["simulation"] = mean_simulation(all);
  evaluation["workloads"] = std::move(all);
  evaluation["means"] = std::move(means);
  evaluation["notes"] = notes_of(measured, workloads);
  return evaluation;
}

bool has_failure(const Json& evaluation) {
  for (const Json& workload : evaluation["workloads"]) {
    if (workload["failure"].is_string() || workload["ceiling"]["failure"].is_string()) return true;
    if (at(workload, {"simulation", "failure"}).is_string()) return true;
    for (const auto& [name, cell] : workload["profilers"].items()) {
      if (cell["failure"].is_string() || cell.contains("slowdown_failure")) return true;
    }
  }
  return false;
}

}  // namespace bursar::evaluation
