// How far two profiles of samples would agree if nothing but chance set them apart.
//
// If both runs drew their samples from the same distribution (multinomially), it does not matter which of all samples
// each of them got: any division of the pool of both, in their sizes, was as likely as the one that happened. So the
// agreement of random divisions is what sampling noise alone predicts. No distribution is estimated, which would be
// wrong about contexts that were hardly ever sampled, or never.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/joint_tree.h"

namespace bursar::analysis {

struct NoiseAgreement {
  double overlap = 0;      // counter_node_overlap
  double correlation = 0;  // of method totals; 0 where they do not vary

  bool operator==(const NoiseAgreement&) const = default;
};

// Means over `rounds` random divisions of the samples. The weights of the tree are whole numbers, of samples; those of
// each side's overflow stay where they are. Nothing where a side has none. The same seed gives the same numbers.
std::optional<NoiseAgreement> agreement_by_noise(JointTree tree, unsigned rounds, std::uint64_t seed);

}  // namespace bursar::analysis
