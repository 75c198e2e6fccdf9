#include "analysis/counter_node_overlap.h"

#include "analysis/numbering.h"
#include "analysis/overlap.h"

namespace bursar::analysis {

double counter_node_overlap(const JointTree& tree) {
  PairedWeights methods;
  methods.resize(tree.methods);
  PairedWeights callees;
  PairedWeights counters;
  counters.truth.reserve(tree.size());
  counters.estimate.reserve(tree.size());
  Numbering<Link, LinkHash> calls(tree.methods);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    const Link& link = tree.link[node];
    const double truth = tree.weight.truth[node];
    const double estimate = tree.weight.estimate[node];
    methods.truth[link.to] += truth;
    methods.estimate[link.to] += estimate;
    if (link.from == profile::kNone) continue;

    const std::uint32_t call = calls.of({tree.link[link.from].to, link.site, link.to});
    if (call == callees.size()) callees.resize(call + std::size_t{1});
    callees.truth[call] += truth;
    callees.estimate[call] += estimate;

    counters.truth.push_back(truth);
    counters.estimate.push_back(estimate);
  }
  for (const PairedWeights* more : {&methods, &callees}) {
    counters.truth.insert(counters.truth.end(), more->truth.begin(), more->truth.end());
    counters.estimate.insert(counters.estimate.end(), more->estimate.begin(), more->estimate.end());
  }
  return overlap(counters);
}

}  // namespace bursar::analysis
