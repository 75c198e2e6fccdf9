#include "evaluation/studies.h"

#include <fmt/format.h>

#include <algorithm>

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

CbsVariant variant_of(const Cbs& cbs, const char* correction) {
  return {.name = name_of(cbs, correction),
          .options = {"--samples", std::to_string(cbs.samples), "--stride", std::to_string(cbs.stride), "--correct",
                      correction}};
}

template <typename List>
auto found_by_name(const List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&name](const auto& each) { return each.name == name; });
}

template <typename List>
std::vector<std::string> names_of(const List& list) {
  std::vector<std::string> names;
  for (const auto& each : list) names.push_back(each.name);
  return names;
}

}  // namespace

const std::vector<CbsVariant>& cbs_variants() {
  static const std::vector<CbsVariant> kVariants = [] {
    std::vector<CbsVariant> variants;
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
  const auto found = found_by_name(advised_ways(), name);
  return found == advised_ways().end() ? nullptr : &*found;
}

std::vector<std::string> study_names(const std::string& study) {
  if (study == kCallGraphs) return names_of(cbs_variants());
  if (study == kAdvice) return names_of(advised_ways());
  return {};
}

std::vector<std::string> record_words(const std::string& profiler) {
  const auto variant = found_by_name(cbs_variants(), profiler);
  if (variant == cbs_variants().end()) return {"--mode", profiler};
  std::vector<std::string> words = {"--mode", "cbs"};
  words.insert(words.end(), variant->options.begin(), variant->options.end());
  return words;
}

}  // namespace bursar::evaluation
