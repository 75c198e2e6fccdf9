#include "evaluation/plan.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "evaluation/studies.h"

namespace bursar::evaluation {

namespace {

using Cell = std::pair<std::string, std::string>;

Cell cell_of(const Json& row) {
  return {row["workload"], row["profiler"]};
}

void add_estimates(std::vector<Step>& steps, const Config& config, const std::string& workload) {
  steps.push_back({workload, config.truth(), 1});
  steps.push_back({workload, config.truth(), 2});
  for (std::uint32_t run = 1; run <= std::min(config.runs, kMostEstimates); ++run) {
    for (const std::string& profiler : config.judged()) {
      if (profiler != config.truth()) steps.push_back({workload, profiler, run});
    }
  }
}

void add_advice(std::vector<Step>& steps, const Config& config, const std::string& workload) {
  const std::vector<std::string> ways = config.advised();
  if (ways.empty()) return;
  const auto add = [&](const std::string& profiler) {
    const Step step{workload, profiler, 1};
    if (std::find(steps.begin(), steps.end(), step) == steps.end()) steps.push_back(step);
  };
  for (const std::string& name : ways) add(find_advised(name)->profile);
  add(kBaseline);
  for (const std::string& name : ways) add(name);
}

void add_rounds(std::vector<Step>& steps, const Config& config, const std::string& workload) {
  const std::uint32_t truths = config.accuracy ? 2 : 0;
  for (std::uint32_t round = 1; round <= std::max(config.runs, truths); ++round) {
    std::vector<std::string> names;
    if (round <= config.runs) {
      names = config.profilers();
      names.emplace_back(kBaseline);
    }
    if (round <= truths && std::find(names.begin(), names.end(), config.truth()) == names.end()) {
      names.emplace_back(config.truth());
    }
    std::shuffle(names.begin(), names.end(), std::mt19937(round));
    if (round == 1) {
      const auto rank = [&](const std::string& name) { return name == kBaseline ? 0 : is_exact(name) ? 1 : 2; };
      std::stable_sort(names.begin(), names.end(), [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    }
    for (const std::string& name : names) steps.push_back({workload, name, round});
  }
}

}  // namespace

std::vector<Step> planned(const Config& config) {
  std::vector<Step> steps;
  for (const std::string& workload : config.names) {
    if (config.repeat > 0) {
      for (std::uint32_t run = 1; run <= config.repeat; ++run) {
        for (const std::string& profiler : config.profilers()) steps.push_back({workload, profiler, run});
      }
      continue;
    }
    if (config.judges_program() && config.slowdown) {
      add_rounds(steps, config, workload);
    } else if (config.accuracy && !config.judged().empty()) {
      add_estimates(steps, config, workload);
    }
    add_advice(steps, config, workload);
    if (config.simulation) steps.push_back({workload, kTrace, 1});
  }
  return steps;
}

const Json* find_row(const std::vector<Json>& rows, const Step& step) {
  const auto found = std::find_if(rows.rbegin(), rows.rend(), [&](const Json& row) {
    return row["workload"] == step.workload && row["profiler"] == step.profiler && row["run"] == step.run;
  });
  return found == rows.rend() ? nullptr : &*found;
}

std::vector<Step> remaining(const std::vector<Step>& steps, const std::vector<Json>& rows, std::size_t forgiven,
                            const std::function<bool(const std::string& workload)>& has_truth) {
  std::set<Cell> failed;
  std::set<std::string> hopeless;
  for (const Step& step : steps) {
    const Json* row = find_row(rows, step);
    if (row == nullptr || (*row)["failure"].is_null()) continue;
    if (static_cast<std::size_t>(row - rows.data()) < forgiven) continue;
    failed.insert({step.workload, step.profiler});
    if (step.is_truth() || step.profiler == kBaseline) hopeless.insert(step.workload);
  }
  std::vector<Step> left;
  for (const Step& step : steps) {
    if (hopeless.contains(step.workload) || failed.contains({step.workload, step.profiler})) continue;
    const Json* row = find_row(rows, step);
    const bool made = row != nullptr && (*row)["failure"].is_null();
    if (!made || (step.is_truth() && !has_truth(step.workload))) left.push_back(step);
  }
  return left;
}

double seconds_left(const std::vector<Step>& steps, const std::vector<Json>& rows) {
  struct Known {
    double sum = 0;
    double count = 0;
  };
  std::map<Cell, Known> known;
  Known all;
  for (const Json& row : rows) {
    const double seconds = row.value("seconds", 0.0);
    Known& cell = known[cell_of(row)];
    cell.sum += seconds;
    cell.count += 1;
    all.sum += seconds;
    all.count += 1;
  }
  if (all.count == 0) return 0;
  double total = 0;
  for (const Step& step : steps) {
    const auto cell = known.find({step.workload, step.profiler});
    const Known& usual = cell == known.end() ? all : cell->second;
    total += usual.sum / usual.count;
  }
  return total;
}

}  // namespace bursar::evaluation
