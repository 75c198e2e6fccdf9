#include "cli/scheme_study.h"

#include "cli/scheme_options.h"
#include "cli/study_json.h"
#include "cli/trace_study.h"

namespace bursar::cli {

namespace {

using schemes::Kind;

constexpr std::uint32_t kMoments = 20;

// Every burst length with every ratio, and besides the usual interval some others.
std::vector<schemes::Options> sweep() {
  const Sweep lengths{.name = "burst-length", .values = {"0.1ms", "0.2ms", "0.5ms", "1ms"}};
  const Sweep ratios{.name = "reenable", .values = {"0", "0.05", "0.1", "0.2", "1"}};
  const Sweep intervals{.name = "interval", .values = {"2ms", "5ms", "20ms", "50ms"}};
  std::vector<schemes::Options> variants = scheme_variants({Kind::kAdaptive}, {lengths, ratios});
  const std::vector<schemes::Options> others = scheme_variants({Kind::kAdaptive}, {intervals});
  variants.insert(variants.end(), others.begin(), others.end());
  return variants;
}

}  // namespace

base::Result<evaluation::Json> study_schemes(const std::string& trace, const std::function<bool()>& stop) {
  const StudyPlan usual{.trace = trace,
                        .variants = scheme_variants({Kind::kStackWalk, Kind::kStatic, Kind::kAdaptive}, {}),
                        .moments = kMoments,
                        .stop = stop};
  // In a pass of its own: taking so many variants' accuracy at every moment would take longer than reading twice.
  const StudyPlan swept{.trace = trace, .variants = sweep(), .stop = stop};
  const auto study = study_trace(usual);
  if (!study) return study.error();
  const auto others = study_trace(swept);
  if (!others) return others.error();
  evaluation::Json result = study_json(*study, usual);
  result["sweep"] = study_json(*others, swept)["variants"];
  return result;
}

}  // namespace bursar::cli
