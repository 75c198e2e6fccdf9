#include "export/view_series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace bursar::exports {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostPoints = 200;
constexpr std::size_t kParts = 120;       // of the time, where there are more: with some ten points each, most often
constexpr std::size_t kMostThreads = 16;  // those with most points

struct Point {
  std::uint64_t time_ns;
  double value;
};

// Four digits are more than a screen shows.
double brief(double value) {
  if (value == 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(value))) - 3);
  return unit > 0 && std::isfinite(unit) ? std::round(value / unit) * unit : value;
}

double quantile(const std::vector<double>& sorted, double q) {
  return sorted[static_cast<std::size_t>(q * static_cast<double>(sorted.size() - 1) + 0.5)];
}

ordered_json point_json(double time_ns, std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  return {std::round(time_ns / 1e6) / 1e3, brief(quantile(values, 0.1)), brief(quantile(values, 0.5)),
          brief(quantile(values, 0.9))};
}

// Points come by time.
ordered_json points_json(const std::vector<Point>& points) {
  ordered_json json = ordered_json::array();
  const std::uint64_t start = points.front().time_ns, length = points.back().time_ns - start;
  const bool all = points.size() <= kMostPoints;
  for (std::size_t i = 0; i < points.size();) {
    const auto part_of = [&](const Point& point) {
      return static_cast<std::size_t>(static_cast<double>(point.time_ns - start) / (static_cast<double>(length) + 1) *
                                      static_cast<double>(kParts));
    };
    const std::size_t part = part_of(points[i]);
    std::vector<double> values;
    double time = 0;
    do {
      values.push_back(points[i].value);
      time += static_cast<double>(points[i].time_ns);
      ++i;
    } while (!all && i < points.size() && part_of(points[i]) == part);
    json.push_back(point_json(time / static_cast<double>(values.size()), values));
  }
  return json;
}

}  // namespace

ordered_json series_json(const profile::ProfileData& data) {
  ordered_json json = ordered_json::array();
  for (const profile::Series& series : data.series) {
    if (series.value.empty()) continue;
    std::vector<Point> all;
    std::map<std::uint32_t, std::vector<Point>> by_thread;
    for (std::size_t i = 0; i < series.value.size(); ++i) {
      const Point point{series.time_ns[i], series.value[i]};
      all.push_back(point);
      if (series.thread[i] != profile::kNone) by_thread[series.thread[i]].push_back(point);
    }
    json.push_back({{"name", series.name}, {"unit", series.unit}, {"thread", ""}, {"points", points_json(all)}});
    if (by_thread.size() < 2) continue;
    std::vector<std::uint32_t> threads;
    for (const auto& [thread, unused] : by_thread) threads.push_back(thread);
    std::stable_sort(threads.begin(), threads.end(),
                     [&](auto a, auto b) { return by_thread[a].size() > by_thread[b].size(); });
    if (threads.size() > kMostThreads) threads.resize(kMostThreads);
    for (const std::uint32_t thread : threads) {
      json.push_back({{"name", series.name},
                      {"unit", series.unit},
                      {"thread", data.threads[thread].name},
                      {"points", points_json(by_thread[thread])}});
    }
  }
  return json;
}

}  // namespace bursar::exports
