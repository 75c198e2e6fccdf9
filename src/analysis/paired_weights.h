// PairedWeights: what the same items (contexts, edges, methods …) weigh in the truth and in the estimate.
//
// Invariant: both vectors are equally long; an item that one side lacks weighs 0 there. What must never match (the
// overflow of each side) is one item for each side.
#pragma once

#include <vector>

namespace bursar::analysis {

struct PairedWeights {
  std::vector<double> truth;
  std::vector<double> estimate;

  std::size_t size() const { return truth.size(); }

  void resize(std::size_t items) {
    truth.resize(items, 0.0);
    estimate.resize(items, 0.0);
  }
};

}  // namespace bursar::analysis
