#include "evaluation/repetition.h"

#include <algorithm>
#include <map>
#include <string>

#include "analysis/correlation.h"
#include "analysis/counter_node_overlap.h"
#include "analysis/joint_tree.h"
#include "analysis/profile_pair.h"
#include "analysis/sampling_noise.h"
#include "evaluation/summary.h"

namespace bursar::evaluation {

namespace {

// Of one pair the noise need not be known well: there are many pairs.
constexpr unsigned kNoiseRounds = 3;

bool holds_samples(const analysis::ProfileSide& side) {
  return side.metric && side.data().metrics[*side.metric].kind == profile::MetricKind::kSamples;
}

}  // namespace

base::Result<Json> agreement_of(const profile::Profile& one, const profile::Profile& other, std::uint64_t seed) {
  const auto pair = analysis::pair_profiles(one, other);
  if (!pair) return pair.error();
  const analysis::JointTree tree = analysis::join_trees(*pair);
  const auto correlation = analysis::method_correlation(*pair);
  Json agreement = {{"correlation", correlation ? Json(*correlation) : Json()},
                    {"overlap", analysis::counter_node_overlap(tree)}};
  if (holds_samples(pair->truth) && holds_samples(pair->estimate)) {
    if (const auto noise = analysis::agreement_by_noise(tree, kNoiseRounds, seed)) {
      agreement["noise_overlap"] = noise->overlap;
      agreement["noise_correlation"] = noise->correlation;
    }
  }
  // Walks to the end, and what other profilers record, have none.
  if (const auto found = analysis::pair_profiles(one, other, profile::kActivations, profile::kActivations)) {
    if (const auto of_activations = analysis::method_correlation(*found)) {
      agreement["activation_correlation"] = *of_activations;
    }
  }
  return agreement;
}

Json repetition_of(const std::vector<Json>& rows) {
  std::vector<double> totals;
  std::map<std::string, std::vector<double>> values;
  for (const Json& row : rows) {
    if (!row.contains("agreement")) continue;
    totals.push_back(row["size"].value("calls", 0.0));
    for (const Json& pair : row["agreement"]) {
      for (const auto& [key, value] : pair.items()) {
        if (value.is_number()) values[key].push_back(value.get<double>());
      }
    }
  }
  if (values["overlap"].empty()) return nullptr;
  Json repetition = {{"runs", totals.size()}, {"pairs", values["overlap"].size()}, {"total", median(totals)}};
  for (const char* key : kRepetitionMeans) {
    if (!values[key].empty()) repetition[key] = mean_of(values[key]);
  }
  for (const char* key : {"correlation", "overlap"}) {
    if (values[key].empty()) continue;
    const auto [least, most] = std::ranges::minmax(values[key]);
    repetition[std::string(key) + "_range"] = {least, most};
  }
  return repetition;
}

}  // namespace bursar::evaluation
