// Writes the seed corpus of profile_fuzz: small files that between them have every section and every kind of column.
// Run it again, with the folder of the corpus, when the format changes.
#include <cstdio>
#include <string>
#include <utility>

#include "profile/freeze.h"
#include "profile/profile_file.h"
#include "random_profile.h"

int main(int argc, char** argv) {
  using namespace bursar::profile;
  if (argc != 2) {
    std::fprintf(stderr, "usage: make_profile_corpus FOLDER\n");
    return 2;
  }
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    RandomProfileOptions options;
    options.contexts = seed * 8;
    options.methods = seed == 0 ? 0 : 2 + seed;
    options.edges = seed % 3 * 4;
    options.threads = seed % 4;
    options.paths = seed % 2 * 5;
    options.branches = seed % 3 * 3;
    options.series = seed % 3;
    options.identity = {seed % 2 == 1, seed % 4 != 1, seed % 5 == 4};
    options.path_kind = static_cast<MetricKind>(seed % 3);
    options.metrics = {{kCalls, "", MetricKind::kEstimate, 8},
                       {kSamples, "", MetricKind::kSamples, 0},
                       {"allocations", "objects", MetricKind::kExact, 0}};
    options.metrics.resize(seed % 4);
    const std::string path = std::string(argv[1]) + "/sound-" + std::to_string(seed) + ".bursar";
    ProfileData data = RandomProfile(seed, options).profile().data();
    for (std::size_t i = 0; seed % 2 == 1 && i < data.methods.size(); ++i) {
      data.methods[i].code_bytes = static_cast<std::uint32_t>(i * 37);
    }
    const auto written = write_file(freeze(std::move(data)).value(), path);
    if (!written) {
      std::fprintf(stderr, "make_profile_corpus: %s\n", written.error().message.c_str());
      return 1;
    }
  }
}
