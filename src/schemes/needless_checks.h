// Which checks a program can do without, where there are more of them than bursts need.
//
// What a check decides, whether calls are counted, holds for the method that runs until its next check, and for what it
// calls until that has checks of its own. So a check is needless if another one has decided for the same method, or for
// its caller, a moment before: an inner loop's, and those of small methods that are called all the time. What decides
// for others that run deeper does not help.
//
// Windows show what checks a thread passed, one after the other, and how deep the stack was: what lies less deep than a
// check that follows is still running then. Runs in: any
#pragma once

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

namespace bursar::schemes {

// A method's entry, or its loops.
struct Check {
  std::uint32_t method = 0;
  bool loop = false;

  bool operator==(const Check&) const = default;
};
struct CheckHash {
  std::size_t operator()(const Check& check) const { return 2 * std::size_t{check.method} + (check.loop ? 1 : 0); }
};
using Checks = std::unordered_set<Check, CheckHash>;

struct PassedCheck {
  Check check;
  std::uint64_t at_ns = 0;
  std::uint64_t depth = 0;  // of the stack, in bytes
};
using CheckWindow = std::vector<PassedCheck>;

// What can be given up so that decisions still are no older than this. `given_up` were before: they may still be seen,
// but decide nothing.
std::vector<Check> needless_checks(std::span<const CheckWindow> windows, const Checks& given_up,
                                   std::uint64_t longest_ns);

// Methods whose loops come to a check again sooner than this, for the most part.
std::vector<std::uint32_t> hasty_loops(std::span<const CheckWindow> windows, const Checks& given_up,
                                       std::uint64_t shortest_ns);

}  // namespace bursar::schemes
