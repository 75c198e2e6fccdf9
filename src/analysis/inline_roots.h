// InlineRoot: what to inline into one method when the JIT compiles it.
//
// HotSpot is told by the method that it compiles, the root, and a callee is named once for the whole of what is
// inlined there. So advice about a call is of use to every root whose inlined code holds its caller: from a root on,
// advised calls are followed as far as HotSpot goes (MaxInlineLevel), and as long as at least min_share of all calls
// would flow that way if every method called there what it calls overall. Only what HotSpot does not inline unasked is
// named: to force what it inlines where it finds it hot is to force it where it is cold as well.
#pragma once

#include <vector>

#include "analysis/inline_advice.h"

namespace bursar::analysis {

inline constexpr std::size_t kHotSpotMaxInlineLevel = 15;

struct InlineRoot {
  profile::MethodId method;
  std::vector<profile::MethodId> inlined = {};  // ascending
  std::vector<profile::MethodId> refused = {};  // ascending; none of them in `inlined`
  double calls = 0;                             // that would be inlined here, by HotSpot or by advice
  double added_calls = 0;                       // those of them that HotSpot does not inline unasked
};

// All Java methods for which there is something to say, most added calls first. The advice is of the profile, by the
// same rules.
std::vector<InlineRoot> inline_roots(const profile::Profile& profile, const InlineAdvice& advice,
                                     const InlineRules& rules);

}  // namespace bursar::analysis
