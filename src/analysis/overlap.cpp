#include "analysis/overlap.h"

#include <algorithm>
#include <numeric>

namespace bursar::analysis {

double overlap(const PairedWeights& weights) {
  const double truth_total = std::accumulate(weights.truth.begin(), weights.truth.end(), 0.0);
  const double estimate_total = std::accumulate(weights.estimate.begin(), weights.estimate.end(), 0.0);
  if (truth_total <= 0 || estimate_total <= 0) return 0;
  double shared = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    shared += std::min(weights.truth[i] / truth_total, weights.estimate[i] / estimate_total);
  }
  // A million rounded shares may add up to a hair more than 1.
  return std::min(100.0, 100 * shared);
}

}  // namespace bursar::analysis
