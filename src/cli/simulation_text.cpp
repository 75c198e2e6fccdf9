#include "cli/simulation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "cli/duration.h"
#include "cli/table.h"

namespace bursar::cli {

namespace {

using evaluation::Json;

constexpr const char* kAdaptive = "adaptive";
constexpr std::array<double, 6> kMomentsShown = {5, 10, 25, 50, 75, 100};  // percent of the trace

std::string percent(const Json& object, const char* key) {
  const bool known = object.contains(key) && object[key].is_number();
  return known ? fmt::format("{:.2f} %", object[key].get<double>()) : "-";
}

bool has_simulation(const Json& workload) {
  return workload.contains("simulation") && workload["simulation"]["failure"].is_null();
}

void add_schemes(Table& table, const std::string& name, const Json& variants) {
  for (const Json& variant : variants) {
    const bool bursts = variant.contains("burst_ns");
    table.add(
        {percent(variant, "overlap"), percent(variant["hot_edge_coverage"], "0.10"),
         bursts ? percent(variant, "calls_seen_percent") : "-", bursts ? percent(variant, "disabled_percent") : "-"},
        fmt::format("{}, {}", name, variant["scheme"].get<std::string>()));
  }
}

const Json* find_adaptive(const Json& simulation) {
  for (const Json& variant : simulation["variants"]) {
    if (variant["scheme"] == kAdaptive) return &variant;
  }
  return nullptr;
}

// The overlap at the moment nearest to a part of the trace, if one is near.
std::string overlap_at(const Json& variant, double events, double part) {
  constexpr double kNear = 3;
  const Json* nearest = nullptr;
  double least = kNear;
  for (const Json& moment : variant["over_time"]) {
    const double distance = std::abs(100 * moment["events"].get<double>() / events - part);
    if (distance >= least) continue;
    least = distance;
    nearest = &moment;
  }
  return nearest == nullptr ? "-" : percent(*nearest, "overlap");
}

std::string over_time(const Json& workloads, const Terminal& terminal) {
  std::vector<std::string> headers;
  headers.reserve(kMomentsShown.size());
  for (const double part : kMomentsShown) headers.push_back(fmt::format("{:g} %", part));
  Table table(headers, "of the trace");
  for (const Json& workload : workloads) {
    if (!has_simulation(workload)) continue;
    const Json& simulation = workload["simulation"];
    const Json* adaptive = find_adaptive(simulation);
    if (adaptive == nullptr) continue;
    std::vector<std::string> row;
    row.reserve(kMomentsShown.size());
    for (const double part : kMomentsShown) {
      row.push_back(overlap_at(*adaptive, simulation["events"].get<double>(), part));
    }
    table.add(std::move(row), workload["name"]);
  }
  return table.layout(terminal);
}

// Burst lengths down, re-enable ratios across; then intervals.
std::string sensitivity(const Json& simulation, const Terminal& terminal) {
  const Json* usual = find_adaptive(simulation);
  if (usual == nullptr) return "";
  const auto cell = [](const Json& variant) {
    return fmt::format("{} ({})", percent(variant, "overlap"), percent(variant, "calls_seen_percent"));
  };
  std::vector<double> ratios;
  for (const Json& variant : simulation["sweep"]) ratios.push_back(variant["reenable"]);
  std::sort(ratios.begin(), ratios.end());
  ratios.erase(std::unique(ratios.begin(), ratios.end()), ratios.end());
  std::vector<std::string> headers;
  headers.reserve(ratios.size());
  for (const double ratio : ratios) headers.push_back(fmt::format("reenable {:g}", ratio));
  Table lengths(headers, "burst length"), intervals({"overlap (calls seen)"}, "interval");
  std::vector<std::string> row;
  std::vector<std::pair<std::uint64_t, std::string>> by_interval;
  for (const Json& variant : simulation["sweep"]) {
    const bool same_interval = variant["interval_ns"] == (*usual)["interval_ns"];
    if (same_interval) row.push_back(cell(variant));
    if (row.size() == ratios.size()) {
      lengths.add(std::move(row), duration_text(variant["burst_ns"]));
      row.clear();
    }
    if (variant["burst_ns"] == (*usual)["burst_ns"] && variant["reenable"] == (*usual)["reenable"]) {
      by_interval.emplace_back(variant["interval_ns"], cell(variant));
    }
  }
  std::sort(by_interval.begin(), by_interval.end());
  for (const auto& [interval, text] : by_interval) intervals.add({text}, duration_text(interval));
  return lengths.layout(terminal) + intervals.layout(terminal);
}

}  // namespace

std::string simulation_text(const Json& evaluation, const Terminal& terminal) {
  if (!evaluation.contains("simulation") || evaluation["simulation"].is_null()) return "";
  const Json& mean = evaluation["simulation"];
  const auto workloads = mean["workloads"].get<std::size_t>();
  Table schemes({"overlap", "hot edges", "calls seen", "disabled"}, "workload, scheme");
  for (const Json& workload : evaluation["workloads"]) {
    if (has_simulation(workload)) add_schemes(schemes, workload["name"], workload["simulation"]["variants"]);
  }
  if (workloads > 1) add_schemes(schemes, fmt::format("mean of {}", workloads), mean["variants"]);
  std::string text = fmt::format("{}  (on a trace of each program; clock: {})\n", bold("Simulated", terminal),
                                 mean["clock"].get<std::string>());
  text += schemes.layout(terminal);
  text += fmt::format("\n{}  (overlap of adaptive with all calls so far)\n", bold("Simulated, over time", terminal));
  text += over_time(evaluation["workloads"], terminal);
  text += fmt::format("\n{}  (overlap of adaptive, and share of the calls seen{})\n",
                      bold("Simulated, with other options", terminal),
                      workloads > 1 ? fmt::format("; means of {} programs", workloads) : "");
  return text + sensitivity(mean, terminal);
}

}  // namespace bursar::cli
