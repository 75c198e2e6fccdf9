#include "analysis/sampling_noise.h"

#include <random>
#include <utility>
#include <vector>

#include "analysis/correlation.h"
#include "analysis/counter_node_overlap.h"

namespace bursar::analysis {
namespace {

// As method_correlation has it, of a tree.
double correlation_of_methods(const JointTree& tree) {
  PairedWeights totals;
  totals.resize(tree.methods);
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.in_overflow(node)) continue;
    totals.truth[tree.link[node].to] += tree.weight.truth[node];
    totals.estimate[tree.link[node].to] += tree.weight.estimate[node];
  }
  return correlation(totals).value_or(0);
}

}  // namespace

std::optional<NoiseAgreement> agreement_by_noise(JointTree tree, unsigned rounds, std::uint64_t seed) {
  std::vector<std::uint32_t> pool;  // the node of each sample
  std::size_t of_truth = 0;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.in_overflow(node)) continue;
    of_truth += static_cast<std::size_t>(tree.weight.truth[node]);
    const auto samples = static_cast<std::size_t>(tree.weight.truth[node] + tree.weight.estimate[node]);
    pool.insert(pool.end(), samples, static_cast<std::uint32_t>(node));
  }
  if (of_truth == 0 || of_truth == pool.size() || rounds == 0) return std::nullopt;

  std::mt19937_64 random(seed);
  NoiseAgreement sum;
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t node = 0; node < tree.size(); ++node) {
      if (!tree.in_overflow(node)) tree.weight.truth[node] = tree.weight.estimate[node] = 0;
    }
    // The first ones, once that many places were filled at random, are the truth's.
    for (std::size_t i = 0; i < of_truth; ++i) {
      std::swap(pool[i], pool[std::uniform_int_distribution<std::size_t>(i, pool.size() - 1)(random)]);
    }
    for (std::size_t i = 0; i < pool.size(); ++i) {
      ++(i < of_truth ? tree.weight.truth : tree.weight.estimate)[pool[i]];
    }
    sum.overlap += counter_node_overlap(tree);
    sum.correlation += correlation_of_methods(tree);
  }
  return NoiseAgreement{.overlap = sum.overlap / rounds, .correlation = sum.correlation / rounds};
}

}  // namespace bursar::analysis
