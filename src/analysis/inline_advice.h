// Inline advice: which calls of a profile a compiler should inline, by the oracle of paper 001, section 4.2.
//
// A call (caller, site, callee) is judged by the size of its callee in bytes of bytecode and by its share of all calls:
//   size <= trivial_limit   always inlined
//   share < min_share       the profile is silent about it: inlined if size <= silent_limit
//   else                    inlined if size <= static_limit + (max_size - static_limit) * min(1, share / full_share),
//                           or within the limits above
// The paper has the first three limits (11, 17 and 23) and says that the last grows "proportionally to the frequency";
// min_share, max_size and full_share are ours. Never inlined: what has no bytecode or none of known size, and a method
// into itself.
//
// Beside each decision stands what HotSpot's C2 does unasked, by its own limits: MaxInlineSize for any call,
// FreqInlineSize for one that is made at least a quarter as often as its caller is called (InlineFrequencyRatio).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/call_graph.h"
#include "profile/profile.h"

namespace bursar::analysis {

struct InlineRules {
  std::uint32_t trivial_limit = 11;
  std::uint32_t silent_limit = 17;
  std::uint32_t static_limit = 23;
  std::uint32_t max_size = 500;
  double min_share = 0.0001;
  double full_share = 0.001;

  // How large the callee may be, for a call with this share of all calls.
  std::uint32_t size_limit(double share) const;
  bool is_silent(double share) const { return share < min_share; }
};

inline constexpr std::uint32_t kHotSpotMaxInlineSize = 35;
inline constexpr std::uint32_t kHotSpotFreqInlineSize = 325;
inline constexpr double kHotSpotFrequencyRatio = 0.25;

enum class InlineReason : std::uint8_t {
  // inlined
  kTrivial,
  kSmall,     // the profile is silent, and static limits suffice
  kFrequent,  // within the limit that its share of calls gives it
  // not inlined
  kTooLarge,
  kTooLargeForSilent,
  kRecursive,
  kNoBytecode,   // a native method, or a stand-in for something
  kUnknownSize,  // the profile does not say
};
inline constexpr std::size_t kInlineReasons = 8;

constexpr bool is_inlined(InlineReason reason) {
  return reason <= InlineReason::kFrequent;
}
std::string_view word_for(InlineReason reason);

// What C2 does with the call unasked.
enum class HotSpotView : std::uint8_t { kInlines, kInlinesIfHot, kLeaves };

struct InlineDecision {
  CallEdge edge;
  double share = 0;         // of all calls, 0 to 1
  std::uint32_t size = 0;   // of the callee
  std::uint32_t limit = 0;  // that it was held against
  InlineReason reason = InlineReason::kUnknownSize;
  HotSpotView hotspot = HotSpotView::kLeaves;

  bool inlined() const { return is_inlined(reason); }
  // Worth saying: HotSpot does not do it unasked.
  bool adds() const { return inlined() && hotspot == HotSpotView::kLeaves; }
  // HotSpot does unasked what the oracle is against.
  bool refuses() const { return reason == InlineReason::kTooLargeForSilent && hotspot == HotSpotView::kInlines; }
};

struct InlineAdvice {
  std::vector<InlineDecision> decisions;  // one for each edge of the call graph, most calls first
  std::vector<double> invocations;        // of each method, first frames of threads included
  double total = 0;                       // calls from one method to another
};

InlineAdvice inline_advice(const profile::Profile& profile, std::size_t metric, const InlineRules& rules);

}  // namespace bursar::analysis
