// Estimates: what a scheme knows of each context of one thread.
// Runs in: the command
#pragma once

#include <cstdint>
#include <vector>

namespace bursar::simulation {

struct Estimate {
  double weight = 0;   // of the calls it saw, or its samples
  double squares = 0;  // of its weight in each burst, summed: bursts are what varies
};

class Estimates {
 public:
  void begin_burst() { ++burst_; }

  void count(std::uint32_t node, double weight) {
    if (node >= nodes_.size()) nodes_.resize(node + 1);
    Node& found = nodes_[node];
    if (found.burst != burst_) {
      found.past.squares += found.burst_weight * found.burst_weight;
      found.burst_weight = 0;
      found.burst = burst_;
    }
    found.burst_weight += weight;
    found.past.weight += weight;
    weight_ += weight;
    ++seen_;
  }

  Estimate of(std::uint32_t node) const {
    if (node >= nodes_.size()) return {};
    const Node& found = nodes_[node];
    return {found.past.weight, found.past.squares + found.burst_weight * found.burst_weight};
  }
  // Of all contexts.
  double weight() const { return weight_; }
  // How many calls or samples that are.
  std::uint64_t seen() const { return seen_; }

 private:
  struct Node {
    Estimate past;            // its squares lack the burst at hand
    double burst_weight = 0;  // in the burst at hand
    std::uint64_t burst = 0;
  };

  std::vector<Node> nodes_;  // as many as the tree has, or less: the others were not seen
  std::uint64_t burst_ = 0;
  std::uint64_t seen_ = 0;
  double weight_ = 0;
};

}  // namespace bursar::simulation
