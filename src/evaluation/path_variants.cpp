#include "evaluation/path_variants.h"

#include <string>

namespace bursar::evaluation {

namespace {

std::vector<std::string> of_paths(std::vector<std::string> more) {
  std::vector<std::string> options = {"--mode", "paths"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

// SAMPLES and STRIDE as in the paper: one look in each interval, and no more samples than that.
Variant as_in_paper(const std::string& samples, const std::string& stride) {
  return {"paths-" + samples + "-" + stride, of_paths({"--samples", samples, "--stride", stride, "--window", "0"})};
}

}  // namespace

const std::vector<Variant>& path_variants() {
  static const std::vector<Variant> kVariants = {
      {kExactPaths, {"--mode", kExactPaths}},
      {"paths", of_paths({})},
      {"paths-ticks", of_paths({"--samples", "64"})},  // samples, all that runs within windows
      {"paths-once", of_paths({"--first", "3s"})},     // a one-time profile of those
      {"paths-alone", of_paths({"--first", "0"})},     // the register, and no samples
      as_in_paper("1", "1"),
      as_in_paper("64", "17"),
      as_in_paper("256", "17"),
      as_in_paper("1024", "17"),
  };
  return kVariants;
}

}  // namespace bursar::evaluation
