// Advice: all that `bursar advise` found out about a profile.
#pragma once

#include <string>
#include <vector>

#include "analysis/devirtualisation.h"
#include "analysis/inline_advice.h"
#include "base/result.h"
#include "export/compiler_directives.h"
#include "profile/profile.h"

namespace bursar::cli {

struct AdviceOptions {
  std::string file;
  analysis::InlineRules rules;
  bool refuse = false;  // what HotSpot inlines and the rules are against
  std::size_t limit = exports::kHotSpotDirectives - 1;
  std::size_t top = 10;
};

struct Advice {
  const AdviceOptions& options;
  const profile::ProfileData& data;
  const profile::Metric& metric;
  analysis::InlineAdvice inlining;
  std::vector<analysis::SiteTarget> targets;
  exports::CompilerDirectives directives;
};

// The profile and the options must outlive it.
base::Result<Advice> take_advice(const profile::Profile& profile, const AdviceOptions& options);

std::string advice_text(const Advice& advice);
std::string advice_json(const Advice& advice);

}  // namespace bursar::cli
