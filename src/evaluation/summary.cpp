#include "evaluation/summary.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <set>
#include <utility>

#include "evaluation/config.h"

namespace bursar::evaluation {

namespace {

constexpr const char* kRatios[] = {"slowdown", "first_iteration", "whole_process", "memory"};
constexpr const char* kMeansOf[] = {"overlap", "call_graph_overlap", "disabled_share", "overhead"};
constexpr const char* kFacts[] = {"ticks", "bursts", "bursts_disabled", "disabled_share", "overhead"};
constexpr const char* kAccuracies[] = {"overlap", "call_graph_overlap", "nodes_estimate", "nodes_common",
                                       "intervals_held"};

// The value at the end of a path of keys; null where the path leads nowhere.
Json at(const Json& value, std::initializer_list<std::string> path) {
  const Json* here = &value;
  for (const std::string& key : path) {
    if (!here->is_object() || !here->contains(key)) return nullptr;
    here = &(*here)[key];
  }
  return *here;
}

std::vector<double> numbers(const std::vector<Json>& values) {
  std::vector<double> result;
  for (const Json& value : values) {
    if (value.is_number()) result.push_back(value.get<double>());
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
  std::vector<Json> values;
  for (const Json& row : rows) values.push_back(at(row, {group, key}));
  if (const std::vector<double> found = numbers(values); !found.empty()) cell[key] = median(found);
}

void set_coverage(Json& cell, const std::vector<Json>& rows) {
  const Json thresholds = at(rows.front(), {"accuracy", "hot_edge_coverage"});
  if (!thresholds.is_object()) return;
  Json coverage = Json::object();
  for (const auto& [threshold, value] : thresholds.items()) {
    std::vector<Json> values;
    for (const Json& row : rows) values.push_back(at(row, {"accuracy", "hot_edge_coverage", threshold}));
    if (const std::vector<double> found = numbers(values); !found.empty()) coverage[threshold] = median(found);
  }
  cell["hot_edge_coverage"] = coverage;
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
  std::vector<Json> overlaps;
  for (const Json& row : rows) overlaps.push_back(at(row, {"accuracy", "overlap"}));
  if (const std::vector<double> found = numbers(overlaps); !found.empty()) {
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

Json workload_json(const Measured& measured, const std::string& name, const std::vector<std::string>& profilers) {
  Json workload = {{"name", name}, {"failure", nullptr}};
  std::vector<Json> exact = rows_of(measured.rows, name, kExact);
  std::vector<Json> second;
  for (const Json& row : exact) {
    if (row["run"] != 1) {
      second.push_back(row);
    } else if (row["failure"].is_string()) {
      workload["failure"] = row["failure"];
      workload["messages"] = row.value("messages", "");
    } else {
      workload["size"] = row["size"];
    }
  }
  workload["ceiling"] = accuracy_cell(second);
  Json& cells = workload["profilers"] = Json::object();
  for (const std::string& profiler : profilers) {
    Json cell = accuracy_cell(profiler == kExact ? second : rows_of(measured.rows, name, profiler));
    add_slowdown(cell, measured.slowdown, name, profiler);
    cells[profiler] = cell;
  }
  return workload;
}

void set_mean(Json& mean, const char* key, const std::vector<Json>& values) {
  const std::vector<double> found = numbers(values);
  if (found.empty()) return;
  double sum = 0;
  for (const double value : found) sum += value;
  mean[key] = sum / static_cast<double>(found.size());
  mean["workloads"] = std::max(mean.value("workloads", std::size_t{0}), found.size());
}

Json mean_json(const Json& workloads, const Json& slowdown, const std::string& profiler) {
  Json mean = {{"workloads", 0}};
  const auto all = [&](std::initializer_list<std::string> path) {
    std::vector<Json> values;
    for (const Json& workload : workloads) values.push_back(at(workload["profilers"][profiler], path));
    return values;
  };
  for (const char* key : kMeansOf) set_mean(mean, key, all({key}));
  Json coverage = Json::object();
  for (unsigned percent = 5; percent < 100; percent += 5) {
    const std::string threshold = "0." + std::string(percent < 10 ? "0" : "") + std::to_string(percent);
    Json one;
    set_mean(one, "value", all({"hot_edge_coverage", threshold}));
    if (one.contains("value")) coverage[threshold] = one["value"];
  }
  if (!coverage.empty()) mean["hot_edge_coverage"] = coverage;
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
  }
  Json notes = Json::array();
  for (const auto& [note, about] : said) {
    std::string names;
    for (const std::string& name : about) names += (names.empty() ? "" : ", ") + name;
    notes.push_back(about.size() == workloads.size() ? note : note + " (" + names + ")");
  }
  if (const Json share = at(measured.slowdown, {"other_cpu_share"}); share.is_number() && share.get<double>() > 0.05) {
    notes.push_back("slowdown: other processes took " + std::to_string(std::lround(100 * share.get<double>())) +
                    " % of the machine's CPU time meanwhile");
  }
  return notes;
}

}  // namespace

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
  Json all = Json::array(), means = Json::object();
  for (const std::string& name : workloads) all.push_back(workload_json(measured, name, profilers));
  for (const std::string& profiler : profilers) means[profiler] = mean_json(all, measured.slowdown, profiler);
  evaluation["workloads"] = std::move(all);
  evaluation["means"] = std::move(means);
  evaluation["notes"] = notes_of(measured, workloads);
  return evaluation;
}

bool has_failure(const Json& evaluation) {
  for (const Json& workload : evaluation["workloads"]) {
    if (workload["failure"].is_string() || workload["ceiling"]["failure"].is_string()) return true;
    for (const auto& [name, cell] : workload["profilers"].items()) {
      if (cell["failure"].is_string() || cell.contains("slowdown_failure")) return true;
    }
  }
  return false;
}

}  // namespace bursar::evaluation
