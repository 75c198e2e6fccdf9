#include "evaluation/path_variants.h"

#include <algorithm>

namespace bursar::evaluation {

namespace {

std::vector<std::string> of_paths(std::vector<std::string> more) {
  std::vector<std::string> options = {"--mode", "paths"};
  options.insert(options.end(), more.begin(), more.end());
  return options;
}

// SAMPLES and STRIDE as in the paper: one look in each interval, and no more samples than that.
PathVariant as_in_paper(const std::string& samples, const std::string& stride) {
  return {"paths-" + samples + "-" + stride, of_paths({"--samples", samples, "--stride", stride, "--window", "0"})};
}

}  // namespace

const std::vector<PathVariant>& path_variants() {
  static const std::vector<PathVariant> kVariants = {
      {kExactPaths, {"--mode", kExactPaths}},
      {"paths", of_paths({})},
      {"paths-once", of_paths({"--first", "3s"})},  // a one-time profile
      {"paths-alone", of_paths({"--first", "0"})},  // the register, and no samples
      as_in_paper("1", "1"),
      as_in_paper("64", "17"),
      as_in_paper("256", "17"),
      as_in_paper("1024", "17"),
  };
  return kVariants;
}

std::vector<std::string> path_variant_names() {
  std::vector<std::string> names;
  for (const PathVariant& variant : path_variants()) names.push_back(variant.name);
  return names;
}

std::vector<std::string> record_options(const std::string& profiler) {
  const std::vector<PathVariant>& all = path_variants();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const PathVariant& each) { return each.name == profiler; });
  return found != all.end() ? found->options : std::vector<std::string>{"--mode", profiler};
}

}  // namespace bursar::evaluation
