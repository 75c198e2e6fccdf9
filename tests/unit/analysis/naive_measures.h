// The measures once more, as slow and as literal as their definitions: everything is a map from the text of the whole
// path to a number. The oracle for random profiles.
#pragma once

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profile/profile.h"

namespace bursar::analysis::naive {

using Weights = std::map<std::string, double>;

// What a profile is seen as when it is compared.
struct View {
  bool call_sites;
  bool descriptors;
  std::string side;  // keeps the overflow of one side from matching that of the other
};

inline std::string method_text(const profile::ProfileData& data, profile::MethodId id, const View& view) {
  const profile::Method& method = data.methods[id];
  const std::string overflow = method.kind == profile::MethodKind::kOverflow ? "!" + view.side + "!" : "";
  return overflow + method.class_name + "." + method.name + (view.descriptors ? method.descriptor : "");
}

inline std::string site_text(std::uint32_t site, bool call_sites) {
  return call_sites && site != profile::kNoSite ? "@" + std::to_string(site) : "";
}

inline std::string context_text(const profile::ProfileData& data, profile::ContextId id, const View& view) {
  std::string text;
  for (; id != profile::kNone; id = data.contexts.parent[id]) {
    text = "/" + method_text(data, data.contexts.method[id], view) +
           site_text(data.contexts.site[id], view.call_sites) + text;
  }
  return text;
}

inline double number(const profile::ProfileData& data, const profile::Column& column, std::size_t row) {
  return static_cast<double>(column.value[row]) / std::pow(2.0, data.metrics[0].scale_log2);
}

inline Weights tree(const profile::ProfileData& data, const View& view) {
  Weights weights;
  for (profile::ContextId i = 0; i < data.contexts.size(); ++i) {
    weights[context_text(data, i, view)] += number(data, data.contexts.columns[0], i);
  }
  return weights;
}

inline double total(const Weights& weights) {
  double sum = 0;
  for (const auto& [item, weight] : weights) sum += weight;
  return sum;
}

inline double overlap(const Weights& truth, const Weights& estimate) {
  if (total(truth) == 0 || total(estimate) == 0) return 0;
  double sum = 0;
  for (const auto& [item, weight] : truth) {
    const auto found = estimate.find(item);
    if (found != estimate.end()) sum += std::min(weight / total(truth), found->second / total(estimate));
  }
  return 100 * sum;
}

inline double hottest(const Weights& weights) {
  double most = 0;
  for (const auto& [item, weight] : weights) {
    if (item.find('!') == std::string::npos) most = std::max(most, weight);
  }
  return most;
}

inline double hot_edge_coverage(const Weights& truth, const Weights& estimate, unsigned percent) {
  double hot = 0;
  double covered = 0;
  for (const auto& [item, weight] : truth) {
    if (item.find('!') != std::string::npos || weight * 100 < percent * hottest(truth)) continue;
    ++hot;
    const auto found = estimate.find(item);
    covered += found != estimate.end() && hottest(estimate) > 0 && found->second * 100 >= percent * hottest(estimate);
  }
  return 100 * covered / hot;
}

inline Weights methods(const profile::ProfileData& data, const View& view) {
  Weights weights;
  for (profile::ContextId i = 0; i < data.contexts.size(); ++i) {
    weights[method_text(data, data.contexts.method[i], view)] += number(data, data.contexts.columns[0], i);
  }
  return weights;
}

inline Weights derived_calls(const profile::ProfileData& data, const View& view) {
  Weights weights;
  for (profile::ContextId i = 0; i < data.contexts.size(); ++i) {
    if (data.contexts.parent[i] == profile::kNone) continue;
    weights[method_text(data, data.contexts.method[data.contexts.parent[i]], view) +
            site_text(data.contexts.site[i], view.call_sites) + ">" +
            method_text(data, data.contexts.method[i], view)] += number(data, data.contexts.columns[0], i);
  }
  return weights;
}

inline Weights recorded_calls(const profile::ProfileData& data, const View& view) {
  Weights weights;
  for (std::size_t i = 0; i < data.edges.size(); ++i) {
    weights[method_text(data, data.edges.caller[i], view) + site_text(data.edges.site[i], view.call_sites) + ">" +
            method_text(data, data.edges.callee[i], view)] += number(data, data.edges.columns[0], i);
  }
  return weights;
}

inline Weights counter_nodes(const profile::ProfileData& data, const View& view) {
  Weights counters;
  for (const auto& [item, weight] : methods(data, view)) counters["MethodProfile " + item] = weight;
  for (const auto& [item, weight] : derived_calls(data, view)) counters["Callee " + item] = weight;
  for (profile::ContextId i = 0; i < data.contexts.size(); ++i) {
    if (data.contexts.parent[i] == profile::kNone) continue;
    counters["CalleeRef " + context_text(data, i, view)] += number(data, data.contexts.columns[0], i);
  }
  return counters;
}

// Σxy − ΣxΣy/n form, in long double: another road to the same number.
inline std::optional<double> correlation(Weights truth, Weights estimate) {
  std::erase_if(truth, [](const auto& entry) { return entry.first.find('!') != std::string::npos; });
  std::erase_if(estimate, [](const auto& entry) { return entry.first.find('!') != std::string::npos; });
  for (const auto& [item, weight] : truth) estimate.try_emplace(item, 0.0);
  for (const auto& [item, weight] : estimate) truth.try_emplace(item, 0.0);
  const auto n = static_cast<long double>(truth.size());
  long double x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  for (const auto& [item, weight] : truth) {
    const long double a = weight;
    const long double b = estimate.at(item);
    x += a;
    y += b;
    xx += a * a;
    yy += b * b;
    xy += a * b;
  }
  const long double varies = (xx - x * x / n) * (yy - y * y / n);
  if (truth.empty() || varies <= 0) return std::nullopt;
  return static_cast<double>(100 * (xy - x * y / n) / std::sqrt(varies));
}

inline std::string path_text(const profile::ProfileData& data, std::size_t row, const View& view) {
  std::string text = method_text(data, data.paths.method[row], view);
  for (std::size_t b = data.paths.first_block[row]; b < data.paths.first_block[row + 1]; ++b) {
    text += "," + std::to_string(data.paths.blocks[b]);
  }
  return text;
}

inline std::optional<double> path_accuracy(const profile::ProfileData& truth, const View& truth_view,
                                           const profile::ProfileData& estimate, const View& estimate_view) {
  Weights flow;
  for (std::size_t i = 0; i < truth.paths.size(); ++i) {
    flow[path_text(truth, i, truth_view)] += static_cast<double>(truth.paths.count.value[i]) * truth.paths.branches[i];
  }
  Weights hot;
  for (const auto& [path, weight] : flow) {
    if (weight > 0.00125 * total(flow)) hot[path] = weight;
  }
  if (hot.empty() || estimate.paths.size() == 0) return std::nullopt;
  std::vector<std::pair<std::string, double>> ranking;  // in the estimate's order
  for (std::size_t i = 0; i < estimate.paths.size(); ++i) {
    const std::string path = path_text(estimate, i, estimate_view);
    auto known = std::find_if(ranking.begin(), ranking.end(), [&](const auto& entry) { return entry.first == path; });
    if (known == ranking.end()) known = ranking.insert(ranking.end(), {path, 0.0});
    known->second += static_cast<double>(estimate.paths.count.value[i]) * estimate.paths.branches[i];
  }
  double found = 0;
  for (std::size_t chosen = 0; chosen < hot.size() && !ranking.empty(); ++chosen) {
    const auto best = std::max_element(ranking.begin(), ranking.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best->second > 0 && hot.count(best->first) != 0) found += hot[best->first];
    ranking.erase(best);
  }
  return 100 * found / total(hot);
}

// By branch, by outcome.
using Outcomes = std::map<std::string, std::map<std::uint32_t, double>>;

inline Outcomes outcomes(const profile::ProfileData& data, const View& view) {
  Outcomes outcomes;
  for (std::size_t i = 0; i < data.branches.size(); ++i) {
    outcomes[method_text(data, data.branches.method[i], view) + ":" + std::to_string(data.branches.bci[i])]
            [data.branches.outcome[i]] += static_cast<double>(data.branches.count.value[i]);
  }
  return outcomes;
}

inline double count(const std::map<std::uint32_t, double>& outcomes) {
  double sum = 0;
  for (const auto& [outcome, weight] : outcomes) sum += weight;
  return sum;
}

inline double relative_overlap(const Outcomes& truth, Outcomes estimate) {
  double matched = 0;
  double ran = 0;
  for (auto [branch, actual] : truth) {
    auto& guess = estimate[branch];
    std::uint32_t arity = 2;
    for (const auto& [outcome, weight] : actual) arity = std::max(arity, outcome + 1);
    for (const auto& [outcome, weight] : guess) arity = std::max(arity, outcome + 1);
    const double actual_count = count(actual);
    const double guess_count = count(guess);
    if (actual_count == 0) continue;
    double gap = 0;
    for (std::uint32_t outcome = 0; outcome < arity; ++outcome) {
      const double share = guess_count > 0 ? guess[outcome] / guess_count : 1.0 / arity;
      gap += std::abs(actual[outcome] / actual_count - share);
    }
    matched += actual_count * (1 - gap / 2);
    ran += actual_count;
  }
  return 100 * matched / ran;
}

inline double absolute_overlap(const Outcomes& truth, const Outcomes& estimate) {
  const auto flat = [](const Outcomes& outcomes) {
    Weights weights;
    for (const auto& [branch, by_outcome] : outcomes) {
      for (const auto& [outcome, weight] : by_outcome) weights[branch + "=" + std::to_string(outcome)] = weight;
    }
    return weights;
  };
  return overlap(flat(truth), flat(estimate));
}

}  // namespace bursar::analysis::naive
