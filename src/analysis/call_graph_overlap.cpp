#include "analysis/call_graph_overlap.h"

#include <algorithm>

#include "analysis/call_graph.h"
#include "analysis/link.h"
#include "analysis/numbering.h"
#include "analysis/overlap.h"

namespace bursar::analysis {
namespace {

// The call graphs of both sides laid over each other.
struct JointGraph {
  PairedWeights weight;
  std::vector<std::uint8_t> in_truth;
  std::vector<std::uint8_t> in_estimate;
};

class GraphJoiner {
 public:
  GraphJoiner(std::size_t expected, bool sites) : numbers_(expected), sites_(sites) {}

  // `left_out` is by method number; empty for none.
  void place(const ProfileSide& side, const CallGraph& graph, const std::vector<std::uint8_t>& left_out,
             std::vector<double>& weight, std::vector<std::uint8_t>& present) {
    for (const CallEdge& edge : graph.edges) {
      if (!left_out.empty() && left_out[side.method_number[edge.callee]] != 0) continue;
      const std::uint32_t site = sites_ ? edge.site : profile::kNoSite;
      const std::uint32_t number =
          numbers_.of({side.method_number[edge.caller], site, side.method_number[edge.callee]});
      if (number >= weight.size()) {
        weight.resize(number + 1, 0.0);
        present.resize(number + 1, 0);
      }
      weight[number] += edge.weight;
      present[number] = 1;
    }
  }

  std::size_t size() const { return numbers_.size(); }

 private:
  Numbering<Link, LinkHash> numbers_;
  bool sites_;
};

std::vector<std::uint8_t> trivial_methods(const ProfilePair& pair, const MethodPredicate& is_trivial) {
  std::vector<std::uint8_t> trivial(pair.methods, 0);
  for (const ProfileSide* side : {&pair.truth, &pair.estimate}) {
    for (std::size_t i = 0; i < side->method_number.size(); ++i) {
      if (is_trivial(side->data().methods[i])) trivial[side->method_number[i]] = 1;
    }
  }
  return trivial;
}

JointGraph join_graphs(const ProfilePair& pair, const CallGraph& truth, const CallGraph& estimate, bool sites,
                       const std::vector<std::uint8_t>& left_out) {
  JointGraph joint;
  GraphJoiner joiner(std::max(truth.edges.size(), estimate.edges.size()), sites);
  joiner.place(pair.truth, truth, left_out, joint.weight.truth, joint.in_truth);
  joiner.place(pair.estimate, estimate, left_out, joint.weight.estimate, joint.in_estimate);
  joint.weight.resize(joiner.size());
  joint.in_truth.resize(joiner.size(), 0);
  joint.in_estimate.resize(joiner.size(), 0);
  return joint;
}

}  // namespace

std::optional<CallGraphOverlap> call_graph_overlap(const ProfilePair& pair, const MethodPredicate& is_trivial) {
  if (!pair.truth.metric || !pair.estimate.metric) return std::nullopt;
  const CallGraph truth = call_graph(*pair.truth.profile, *pair.truth.metric);
  const CallGraph estimate = call_graph(*pair.estimate.profile, *pair.estimate.metric);
  if (std::ranges::none_of(truth.edges, [](const CallEdge& edge) { return edge.weight > 0; })) return std::nullopt;

  CallGraphOverlap result;
  result.sites_truth = truth.sites;
  result.sites_estimate = estimate.sites;
  const JointGraph joint = join_graphs(pair, truth, estimate, result.by_site(), {});
  result.all = overlap(joint.weight);
  for (std::size_t i = 0; i < joint.weight.size(); ++i) {
    result.edges_truth += joint.in_truth[i];
    result.edges_estimate += joint.in_estimate[i];
    result.edges_common += static_cast<std::size_t>(joint.in_truth[i] & joint.in_estimate[i]);
  }
  if (is_trivial) {
    const std::vector<std::uint8_t> trivial = trivial_methods(pair, is_trivial);
    result.without_trivial = overlap(join_graphs(pair, truth, estimate, result.by_site(), trivial).weight);
  }
  return result;
}

}  // namespace bursar::analysis
