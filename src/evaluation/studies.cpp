#include "evaluation/studies.h"

#include <fmt/format.h>

namespace bursar::evaluation {

namespace {

struct Cbs {
  unsigned samples, stride;
};
constexpr Cbs kUsual = {100, 17};
constexpr Cbs kOfPaper[] = {{1, 1}, {8, 2}, {32, 3}, {256, 1}};
constexpr const char *kNone = "none", *kDensity = "density", *kBoth = "density+latency";

std::string name_of(const Cbs& cbs, const char* correction) {
  return fmt::format("cbs-{}-{}-{}", cbs.samples, cbs.stride, correction);
}

Variant variant_of(const Cbs& cbs, const char* correction) {
  return {.name = name_of(cbs, correction),
          .options = {"--mode", "cbs", "--samples", std::to_string(cbs.samples), "--stride", std::to_string(cbs.stride),
                      "--correct", correction}};
}

}  // namespace

const std::vector<Variant>& cbs_variants() {
  static const std::vector<Variant> kVariants = [] {
    std::vector<Variant> variants;
    const auto add = [&variants](const Cbs& cbs) {
      for (const char* correction : {kDensity, kNone, kBoth}) variants.push_back(variant_of(cbs, correction));
    };
    add(kUsual);
    for (const Cbs& cbs : kOfPaper) add(cbs);
    return variants;
  }();
  return kVariants;
}

// The static limits are HotSpot's own, or weakened: callees above 17 bytes are not inlined where the profile is silent.
const std::vector<AdvisedWay>& advised_ways() {
  static const std::vector<AdvisedWay> kWays = [] {
    std::vector<AdvisedWay> ways;
    for (const char* correction : {kNone, kDensity}) {
      const std::string profile = name_of(kUsual, correction), name = fmt::format("advice-{}", correction);
      ways.push_back({.name = name, .profile = profile, .options = {"--limit", "200"}});
      ways.push_back({.name = name + "-weak",
                      .profile = profile,
                      .options = {"--limit", "200", "--refuse", "--static-limit", "17"}});
    }
    return ways;
  }();
  return kWays;
}

const AdvisedWay* find_advised(const std::string& name) {
  return find_by_name(advised_ways(), name);
}

std::vector<std::string> study_names(const std::string& study) {
  if (study == kCallGraphs) return names_of(cbs_variants());
  if (study == kAdvice) return names_of(advised_ways());
  return {};
}

}  // namespace bursar::evaluation
