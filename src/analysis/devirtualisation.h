// Devirtualisation: call sites that have, or nearly have, one target.
//
// A site is a caller, a place in it and the name and descriptor of what is called there: all targets of a virtual call
// share both, so that what the VM calls by itself at the same place (class initialisers) stays apart. Where the profile
// does not know places, all calls of a caller by that name are one site. Whether a call is virtual no profile says: a
// site with one target is taken for one if that target shares another site with other targets.
//
//   kOnlyTarget  one target was seen
//   kMainTarget  several were seen, and one has kMainShare of the calls or more
//   kInContext   none has, but in contexts (by the caller's caller) that make up kMainShare of the calls one target
//   has:
//                each context its own, which is what inlining the caller there, or cloning it, would make use of
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "profile/profile.h"

namespace bursar::analysis {

inline constexpr double kMainShare = 0.9;

enum class TargetKind : std::uint8_t { kOnlyTarget, kMainTarget, kInContext };
std::string_view word_for(TargetKind kind);

struct SiteTarget {
  profile::MethodId caller;
  std::uint32_t site;        // kNoSite: anywhere in the caller
  profile::MethodId callee;  // the target with most calls
  TargetKind kind;
  std::size_t targets = 0;   // that were seen
  double calls = 0;          // at the site
  double target_share = 0;   // of the callee in them; in context: of each context's own main target, 0 to 1
  std::size_t contexts = 0;  // kInContext: callers of the caller
};

// Sites with at least `least_calls`, most calls first.
std::vector<SiteTarget> site_targets(const profile::Profile& profile, std::size_t metric, double least_calls);

}  // namespace bursar::analysis
