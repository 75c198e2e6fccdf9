// docs/format.md: the worked example is what encode() makes.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "profile/freeze.h"
#include "profile/profile_file.h"

namespace bursar::profile {
namespace {

Profile example() {
  ProfileData data;
  data.metrics = {{kCalls, "", MetricKind::kExact, 0}};
  data.methods = {{"A", "main", "()V", MethodKind::kJava},
                  {"A", "f", "(I)V", MethodKind::kJava},
                  {"A", "g", "()V", MethodKind::kNative}};
  data.contexts.parent = {kNone, 0, 0};
  data.contexts.method = {0, 1, 2};
  data.contexts.site = {kNoSite, kNoSite, kNoSite};
  data.contexts.columns = {{{1, 300, 7}, {}}};
  data.info["mode"] = {"exact"};
  data.counters["threads"] = 1;
  data.dropped["ring_full"] = 2;
  return freeze(data).value();
}

// Lines of the example look like "0018  4d 45 54 41  | META"; their offsets must be right too.
std::vector<std::uint8_t> bytes_of(std::istream& document) {
  std::vector<std::uint8_t> bytes;
  std::string line;
  while (std::getline(document, line)) {
    const std::size_t bar = line.find("  |");
    if (line.size() < 6 || line.find_first_not_of("0123456789abcdef") != 4 || bar == std::string::npos) continue;
    EXPECT_EQ(std::stoul(line.substr(0, 4), nullptr, 16), bytes.size()) << line;
    std::istringstream words(line.substr(4, bar - 4));
    for (unsigned byte = 0; words >> std::hex >> byte;) bytes.push_back(static_cast<std::uint8_t>(byte));
  }
  return bytes;
}

TEST(FormatDocument, shows_the_bytes_of_a_real_file) {
  std::ifstream document("docs/format.md");
  ASSERT_TRUE(document.is_open()) << "run in the root of the repository";
  EXPECT_EQ(bytes_of(document), encode(example()));
}

}  // namespace
}  // namespace bursar::profile
