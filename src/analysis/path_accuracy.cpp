#include "analysis/path_accuracy.h"

#include <algorithm>
#include <numeric>
#include <span>

#include "analysis/numbering.h"
#include "analysis/paired_weights.h"

namespace bursar::analysis {
namespace {

// A path of either side; the blocks stay in the profile.
struct PathKey {
  std::uint32_t method;
  std::span<const std::uint32_t> blocks;

  bool operator==(const PathKey& other) const {
    return method == other.method && std::ranges::equal(blocks, other.blocks);
  }
};

struct PathHash {
  std::size_t operator()(const PathKey& path) const noexcept {
    std::uint64_t mixed = path.method;
    for (const std::uint32_t block : path.blocks) {
      mixed = (mixed ^ block) * 0x9E3779B97F4A7C15u;
      mixed ^= mixed >> 32;
    }
    return mixed;
  }
};

// The flow of every path of either side. With descriptors left out, equal paths of overloads fall together.
class FlowJoiner {
 public:
  explicit FlowJoiner(std::size_t expected) : numbers_(expected) {}

  // Returns the paths of this side in its canonical order, each once.
  std::vector<std::uint32_t> add(const ProfileSide& side, std::vector<double> PairedWeights::*flow) {
    const profile::Paths& paths = side.data().paths;
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const std::span<const std::uint32_t> blocks(paths.blocks.data() + paths.first_block[i],
                                                  paths.first_block[i + 1] - paths.first_block[i]);
      const std::uint32_t number = numbers_.of({side.method_number[paths.method[i]], blocks});
      if (number == flows_.size()) flows_.resize(number + std::size_t{1});
      seen_.resize(flows_.size(), nullptr);
      if (seen_[number] != &side) order.push_back(number);
      seen_[number] = &side;
      (flows_.*flow)[number] += static_cast<double>(paths.count.value[i]) * paths.branches[i];
    }
    return order;
  }

  const PairedWeights& flows() const { return flows_; }

 private:
  Numbering<PathKey, PathHash> numbers_;
  PairedWeights flows_;
  std::vector<const ProfileSide*> seen_;  // by path: the side that named it last
};

}  // namespace

std::optional<PathAccuracy> path_accuracy(const ProfilePair& pair) {
  const std::size_t truth_paths = pair.truth.data().paths.size();
  const std::size_t estimate_paths = pair.estimate.data().paths.size();
  if (truth_paths == 0 || estimate_paths == 0) return std::nullopt;

  FlowJoiner joiner(std::max(truth_paths, estimate_paths));
  joiner.add(pair.truth, &PairedWeights::truth);
  std::vector<std::uint32_t> estimated = joiner.add(pair.estimate, &PairedWeights::estimate);
  const PairedWeights& flow = joiner.flows();

  const double total_flow = std::accumulate(flow.truth.begin(), flow.truth.end(), 0.0);
  // 0.125 % is 1/800: the multiplication keeps the comparison exact.
  const auto is_hot = [&](std::uint32_t path) { return flow.truth[path] * 800 > total_flow; };
  PathAccuracy result;
  double hot_flow = 0;
  for (std::uint32_t path = 0; path < flow.size(); ++path) {
    if (!is_hot(path)) continue;
    ++result.hot_paths;
    hot_flow += flow.truth[path];
  }
  if (result.hot_paths == 0) return std::nullopt;

  std::erase_if(estimated, [&](std::uint32_t path) { return flow.estimate[path] <= 0; });
  std::ranges::stable_sort(estimated, [&](auto a, auto b) { return flow.estimate[a] > flow.estimate[b]; });
  if (estimated.size() > result.hot_paths) estimated.resize(result.hot_paths);
  double found_flow = 0;
  for (const std::uint32_t path : estimated) {
    if (!is_hot(path)) continue;
    ++result.found;
    found_flow += flow.truth[path];
  }
  result.accuracy = std::min(100.0, 100 * found_flow / hot_flow);
  return result;
}

}  // namespace bursar::analysis
