// Which gates a program can do without, where there are more of them than bursts need.
//
// What is decided at a gate, whether calls are counted, holds for the call that it stands before, and for what that
// calls until it has gates of its own. So a gate is needless if it lies below another one at which was decided a moment
// before: inner loops, and those of small methods that are called all the time.
//
// Windows show what gates a thread passed, one after the other, and how many frames the stack had: the call behind a
// gate still runs as long as the stack is deeper. Runs in: any
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace bursar::schemes {

using Gate = std::uint32_t;

struct PassedGate {
  Gate gate = 0;
  std::uint64_t at_ns = 0;
  std::size_t depth = 0;  // of the stack, in frames
};
using CheckWindow = std::vector<PassedGate>;

// What can be given up so that decisions still are no older than this. `given_up` were before: they may still be seen,
// but decide nothing.
std::vector<Gate> needless_gates(std::span<const CheckWindow> windows, const std::unordered_set<Gate>& given_up,
                                 std::uint64_t longest_ns);

// How long it is from a pass of each gate to the next that decides, in the mean; of those that were seen.
std::unordered_map<Gate, std::uint64_t> mean_times(std::span<const CheckWindow> windows,
                                                   const std::unordered_set<Gate>& given_up);

}  // namespace bursar::schemes
