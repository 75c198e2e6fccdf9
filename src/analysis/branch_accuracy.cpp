#include "analysis/branch_accuracy.h"

#include <algorithm>
#include <cmath>

#include "analysis/link.h"
#include "analysis/numbering.h"
#include "analysis/overlap.h"

namespace bursar::analysis {
namespace {

// The outcomes of all branches of both sides; each branch is told by the number of its method and its index there.
struct JointOutcomes {
  PairedWeights weight;
  std::vector<std::uint32_t> branch;   // by outcome
  std::vector<std::uint64_t> arity;    // by branch: how many outcomes there are, as far as known
  std::vector<double> truth_count;     // by branch
  std::vector<double> estimate_count;  // by branch
};

class OutcomeJoiner {
 public:
  explicit OutcomeJoiner(std::size_t expected) : branches_(expected), outcomes_(expected) {}

  void add(const ProfileSide& side, std::vector<double> PairedWeights::*weight,
           std::vector<double> JointOutcomes::*count) {
    const profile::Branches& branches = side.data().branches;
    for (std::size_t i = 0; i < branches.size(); ++i) {
      const std::uint32_t outcome = branches.outcome[i];
      const std::uint32_t branch = branches_.of({side.method_number[branches.method[i]], branches.bci[i], 0});
      if (branch == joint_.arity.size()) {
        joint_.arity.push_back(2);
        joint_.truth_count.push_back(0);
        joint_.estimate_count.push_back(0);
      }
      joint_.arity[branch] = std::max(joint_.arity[branch], std::uint64_t{outcome} + 1);
      const std::uint32_t number = outcomes_.of({branch, 0, outcome});
      if (number == joint_.branch.size()) {
        joint_.branch.push_back(branch);
        joint_.weight.resize(joint_.branch.size());
      }
      const double ran = static_cast<double>(branches.count.value[i]);
      (joint_.weight.*weight)[number] += ran;
      (joint_.*count)[branch] += ran;
    }
  }

  const JointOutcomes& joint() const { return joint_; }

 private:
  Numbering<Link, LinkHash> branches_;
  Numbering<Link, LinkHash> outcomes_;
  JointOutcomes joint_;
};

std::optional<double> relative_overlap(const JointOutcomes& joint) {
  const std::size_t branches = joint.arity.size();
  std::vector<double> difference(branches, 0.0);
  std::vector<std::uint32_t> known(branches, 0);
  const auto estimated_share = [&](std::size_t branch, double weight) {
    const bool seen = joint.estimate_count[branch] > 0;
    return seen ? weight / joint.estimate_count[branch] : 1.0 / static_cast<double>(joint.arity[branch]);
  };
  for (std::size_t i = 0; i < joint.branch.size(); ++i) {
    const std::uint32_t branch = joint.branch[i];
    if (joint.truth_count[branch] <= 0) continue;
    const double share = joint.weight.truth[i] / joint.truth_count[branch];
    difference[branch] += std::abs(share - estimated_share(branch, joint.weight.estimate[i]));
    ++known[branch];
  }
  double matched = 0;
  double total = 0;
  for (std::size_t branch = 0; branch < branches; ++branch) {
    // Outcomes nobody saw: never in the truth, and in the estimate only if it is undecided.
    const auto unseen = static_cast<double>(joint.arity[branch] - known[branch]);
    const double gap = difference[branch] + unseen * estimated_share(branch, 0.0);
    matched += joint.truth_count[branch] * (1 - gap / 2);
    total += joint.truth_count[branch];
  }
  if (total <= 0) return std::nullopt;
  return std::clamp(100 * matched / total, 0.0, 100.0);
}

}  // namespace

std::optional<BranchAccuracy> branch_accuracy(const ProfilePair& pair) {
  const std::size_t truth_outcomes = pair.truth.data().branches.size();
  const std::size_t estimate_outcomes = pair.estimate.data().branches.size();
  if (truth_outcomes == 0 || estimate_outcomes == 0) return std::nullopt;
  OutcomeJoiner joiner(std::max(truth_outcomes, estimate_outcomes));
  joiner.add(pair.truth, &PairedWeights::truth, &JointOutcomes::truth_count);
  joiner.add(pair.estimate, &PairedWeights::estimate, &JointOutcomes::estimate_count);
  const std::optional<double> relative = relative_overlap(joiner.joint());
  if (!relative) return std::nullopt;
  return BranchAccuracy{*relative, overlap(joiner.joint().weight)};
}

}  // namespace bursar::analysis
