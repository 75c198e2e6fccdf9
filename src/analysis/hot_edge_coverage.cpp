#include "analysis/hot_edge_coverage.h"

#include <algorithm>

namespace bursar::analysis {
namespace {

// Everything the measure needs to know of the trees: the hottest edge of each side, and the truth's edges that are hot
// at the lowest threshold asked for, which are few.
struct HotEdges {
  double hottest_truth = 0;
  double hottest_estimate = 0;
  std::vector<std::uint32_t> edges;
};

bool is_hot(double weight, double hottest, unsigned threshold_percent) {
  return weight * 100 >= threshold_percent * hottest;
}

HotEdges find_hot_edges(const JointTree& tree, unsigned lowest_percent) {
  HotEdges hot;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if (tree.in_overflow(node)) continue;
    hot.hottest_truth = std::max(hot.hottest_truth, tree.weight.truth[node]);
    hot.hottest_estimate = std::max(hot.hottest_estimate, tree.weight.estimate[node]);
  }
  for (std::uint32_t node = 0; node < tree.size(); ++node) {
    if (tree.in_truth(node) && !tree.in_overflow(node) &&
        is_hot(tree.weight.truth[node], hot.hottest_truth, lowest_percent)) {
      hot.edges.push_back(node);
    }
  }
  return hot;
}

double coverage_of(const JointTree& tree, const HotEdges& hot, unsigned threshold_percent) {
  if (hot.hottest_estimate <= 0) return 0;
  std::size_t in_truth = 0;
  std::size_t in_both = 0;
  for (const std::uint32_t node : hot.edges) {
    if (!is_hot(tree.weight.truth[node], hot.hottest_truth, threshold_percent)) continue;
    ++in_truth;
    in_both += tree.in_estimate(node) && is_hot(tree.weight.estimate[node], hot.hottest_estimate, threshold_percent);
  }
  return 100 * static_cast<double>(in_both) / static_cast<double>(in_truth);
}

}  // namespace

std::optional<double> hot_edge_coverage(const JointTree& tree, unsigned threshold_percent) {
  const HotEdges hot = find_hot_edges(tree, threshold_percent);
  if (hot.hottest_truth <= 0) return std::nullopt;
  return coverage_of(tree, hot, threshold_percent);
}

std::vector<CoverageAt> hot_edge_coverage(const JointTree& tree) {
  constexpr unsigned kStep = 5;
  const HotEdges hot = find_hot_edges(tree, kStep);
  std::vector<CoverageAt> all;
  if (hot.hottest_truth <= 0) return all;
  for (unsigned percent = kStep; percent < 100; percent += kStep) {
    all.push_back({percent, coverage_of(tree, hot, percent)});
  }
  return all;
}

std::string threshold_key(unsigned threshold_percent) {
  const std::string digits = std::to_string(threshold_percent % 100);
  return std::to_string(threshold_percent / 100) + (digits.size() < 2 ? ".0" : ".") + digits;
}

}  // namespace bursar::analysis
