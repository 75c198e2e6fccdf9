#include "analysis/joint_tree.h"

#include <algorithm>

#include "analysis/metric_weights.h"
#include "analysis/numbering.h"

namespace bursar::analysis {
namespace {

using profile::kNone;
using profile::kNoSite;

class Joiner {
 public:
  Joiner(const ProfilePair& pair, JointTree& tree)
      : call_sites_(pair.identity.call_sites),
        tree_(tree),
        nodes_(std::max(pair.truth.data().contexts.size(), pair.estimate.data().contexts.size())) {}

  // The node of each context of one side.
  std::vector<std::uint32_t> place(const ProfileSide& side, std::uint8_t where) {
    const profile::Contexts& contexts = side.data().contexts;
    std::vector<std::uint32_t> node_of(contexts.size());
    // Both sides are in canonical order, so most often the next context is the next node and needs no search.
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < contexts.size(); ++i) {
      const std::uint32_t parent = contexts.parent[i] == kNone ? kNone : node_of[contexts.parent[i]];
      const profile::MethodId method = contexts.method[i];
      const Link link{parent, call_sites_ ? contexts.site[i] : kNoSite, side.method_number[method]};
      const std::uint32_t node = next < tree_.size() && tree_.link[next] == link ? next : nodes_.of(link);
      if (node == tree_.size()) add_node(link, side.data().methods[method].kind);
      tree_.where[node] |= where;
      node_of[i] = node;
      next = node + 1;
    }
    return node_of;
  }

 private:
  void add_node(const Link& link, profile::MethodKind kind) {
    const bool overflow =
        kind == profile::MethodKind::kOverflow || (link.from != kNone && tree_.in_overflow(link.from));
    tree_.link.push_back(link);
    tree_.where.push_back(overflow ? JointTree::kInOverflow : std::uint8_t{0});
  }

  bool call_sites_;
  JointTree& tree_;
  Numbering<Link, LinkHash> nodes_;
};

void add_up(const std::vector<double>& numbers, const std::vector<std::uint32_t>& node_of, std::vector<double>& sums) {
  for (std::size_t i = 0; i < numbers.size(); ++i) sums[node_of[i]] += numbers[i];
}

TreeShare share_of(const JointTree& tree, std::uint8_t side, const std::vector<double>& weight) {
  TreeShare share;
  double overflow = 0;
  for (std::size_t node = 0; node < tree.size(); ++node) {
    if ((tree.where[node] & side) == 0) continue;
    ++share.nodes;
    share.total += weight[node];
    if (tree.in_overflow(node)) overflow += weight[node];
  }
  if (share.total > 0) share.overflow_share = 100 * overflow / share.total;
  return share;
}

}  // namespace

JointTree join_trees(const ProfilePair& pair) {
  JointTree tree;
  tree.methods = pair.methods;
  Joiner joiner(pair, tree);
  const auto truth_node = joiner.place(pair.truth, JointTree::kInTruth);
  const auto estimate_node = joiner.place(pair.estimate, JointTree::kInEstimate);

  tree.weight.resize(tree.size());
  if (pair.truth.metric) {
    const std::size_t metric = *pair.truth.metric;
    const profile::ProfileData& data = pair.truth.data();
    add_up(weights_of(data.contexts.columns[metric], data.metrics[metric]), truth_node, tree.weight.truth);
  }
  if (pair.estimate.metric) {
    const std::size_t metric = *pair.estimate.metric;
    const profile::ProfileData& data = pair.estimate.data();
    const profile::Column& column = data.contexts.columns[metric];
    add_up(weights_of(column, data.metrics[metric]), estimate_node, tree.weight.estimate);
    if (!column.variance.empty()) {
      tree.estimate_variance.resize(tree.size(), 0.0);
      add_up(variances_of(column, data.metrics[metric]), estimate_node, tree.estimate_variance);
    }
  }
  return tree;
}

TreeShare truth_share(const JointTree& tree) {
  return share_of(tree, JointTree::kInTruth, tree.weight.truth);
}

TreeShare estimate_share(const JointTree& tree) {
  return share_of(tree, JointTree::kInEstimate, tree.weight.estimate);
}

}  // namespace bursar::analysis
