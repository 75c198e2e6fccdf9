#include "cli/advice.h"

#include <fmt/format.h>

#include "analysis/metric_weights.h"
#include "cli/text.h"

namespace bursar::cli {

base::Result<Advice> take_advice(const profile::Profile& profile, const AdviceOptions& options) {
  const std::string file = printable(options.file);
  auto metric = analysis::find_metric(profile, profile::kCalls);
  if (!metric) metric = analysis::find_metric(profile, profile::kWeight);
  if (!metric) {
    return base::Error{
        fmt::format("{} does not hold how often methods were called, by which advice goes; record with bursar record "
                    "--mode cbs, adaptive or exact",
                    file)};
  }
  analysis::InlineAdvice inlining = analysis::inline_advice(profile, *metric, options.rules);
  if (inlining.total <= 0) return base::Error{fmt::format("{} holds no calls from one method to another", file)};
  const double least_calls = inlining.total * options.rules.min_share;
  exports::CompilerDirectives directives = exports::compiler_directives(
      profile->methods, analysis::inline_roots(profile, inlining, options.rules), options.limit,
      options.refuse ? exports::Refusals::kWritten : exports::Refusals::kLeftOut);
  return Advice{.options = options,
                .data = profile.data(),
                .metric = profile->metrics[*metric],
                .inlining = std::move(inlining),
                .targets = analysis::site_targets(profile, *metric, least_calls),
                .directives = std::move(directives)};
}

}  // namespace bursar::cli
