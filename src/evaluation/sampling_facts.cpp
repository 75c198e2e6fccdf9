#include "evaluation/sampling_facts.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace bursar::evaluation {

namespace {

constexpr std::size_t kMostPoints = 600, kMostThreads = 4, kQuantiles = 20;

const profile::Series* find_series(const profile::Profile& profile, const char* name) {
  for (const profile::Series& series : profile->series) {
    if (series.name == name && !series.value.empty()) return &series;
  }
  return nullptr;
}

Json statistics(const profile::Series& series) {
  std::vector<double> values = series.value;
  std::sort(values.begin(), values.end());
  Json quantiles = Json::array();
  for (std::size_t i = 0; i <= kQuantiles; ++i) quantiles.push_back(values[(values.size() - 1) * i / kQuantiles]);
  return {{"points", values.size()},
          {"least", values.front()},
          {"most", values.back()},
          {"median", quantiles[kQuantiles / 2]},
          {"mean", std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size())},
          {"quantiles", std::move(quantiles)}};
}

// By thread its place among those with most points.
std::map<std::uint32_t, int> busiest(const profile::Series& series) {
  std::map<std::uint32_t, std::size_t> counts;
  for (const std::uint32_t thread : series.thread) {
    if (thread != profile::kNone) ++counts[thread];
  }
  std::vector<std::pair<std::uint32_t, std::size_t>> order(counts.begin(), counts.end());
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  std::map<std::uint32_t, int> places;
  for (std::size_t i = 0; i < std::min(order.size(), kMostThreads); ++i) places[order[i].first] = static_cast<int>(i);
  return places;
}

}  // namespace

Json sampling_facts(const profile::Profile& profile) {
  const profile::Series* const density = find_series(profile, "call_density");
  const profile::Series* const latency = find_series(profile, "sampling_latency");
  if (density == nullptr || latency == nullptr) return nullptr;
  const std::map<std::uint32_t, int> places = busiest(*density);
  std::vector<std::string> threads(places.size());
  for (const auto& [thread, place] : places) threads[static_cast<std::size_t>(place)] = profile->threads[thread].name;
  // Points at one time and of one thread are sorted by value: the latency of a tick is found by both, not by position.
  std::map<std::pair<std::uint64_t, std::uint32_t>, double> latencies;
  for (std::size_t i = 0; i < latency->value.size(); ++i) {
    latencies.emplace(std::pair{latency->time_ns[i], latency->thread[i]}, latency->value[i]);
  }
  Json points = Json::array();
  const std::size_t every = (density->value.size() + kMostPoints - 1) / kMostPoints;
  for (std::size_t i = 0; i < density->value.size(); i += every) {
    const std::uint32_t thread = density->thread[i];
    const auto at = latencies.find({density->time_ns[i], thread});
    const auto place = places.find(thread);
    points.push_back({static_cast<double>(density->time_ns[i]) / 1e9, density->value[i],
                      at == latencies.end() ? Json() : Json(at->second), place == places.end() ? -1 : place->second});
  }
  return {{"call_density", statistics(*density)},
          {"sampling_latency", statistics(*latency)},
          {"over_time", {{"threads", threads}, {"points", std::move(points)}}}};
}

}  // namespace bursar::evaluation
