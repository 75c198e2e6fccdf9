// encode() and decode(): what is written is what is read, and how large it is.
#include "profile/profile_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "profile/freeze.h"
#include "random_profile.h"
#include "realistic_profile.h"

namespace bursar::profile {
namespace {

Profile round_trip(const Profile& profile) {
  base::Result<Profile> back = decode(encode(profile));
  EXPECT_TRUE(back.ok()) << (back ? "" : back.error().message);
  return back ? *back : Profile();
}

RandomProfileOptions options_of(std::uint64_t seed) {
  RandomProfileOptions options;
  options.contexts = seed % 11 == 0 ? 0 : seed * 3;
  options.methods = 1 + seed % 30;
  options.threads = seed % 5;
  options.paths = seed % 4 == 0 ? 0 : seed;
  options.series = seed % 3;
  options.identity = {seed % 2 == 0, seed % 3 != 0, seed % 5 == 0};
  options.extreme_numbers = seed % 2 == 1;
  options.path_kind = static_cast<MetricKind>(seed % 3);
  options.metrics = {{kCalls, "", MetricKind::kEstimate, 16},
                     {kSamples, "", MetricKind::kSamples, 0},
                     {"allocations", "objects", MetricKind::kExact, 0}};
  options.metrics.resize((seed + 1) % 4);
  return options;
}

TEST(ProfileFile, gives_back_what_was_put_in) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Profile profile = RandomProfile(seed, options_of(seed)).profile();
    EXPECT_TRUE(round_trip(profile) == profile) << "seed " << seed;
  }
}

TEST(ProfileFile, gives_the_same_bytes_for_the_same_profile) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Profile profile = RandomProfile(seed, options_of(seed)).profile();
    const std::vector<std::uint8_t> bytes = encode(profile);
    EXPECT_EQ(encode(profile), bytes);
    EXPECT_EQ(encode(round_trip(profile)), bytes) << "seed " << seed;
  }
}

TEST(ProfileFile, holds_an_empty_profile) {
  EXPECT_TRUE(round_trip(Profile()) == Profile());
  EXPECT_LT(encode(Profile()).size(), 150U);
}

TEST(ProfileFile, holds_the_largest_numbers) {
  constexpr std::uint64_t kMax = ~std::uint64_t{0};
  ProfileData data;
  data.identity.call_sites = true;
  data.metrics = {{kCalls, "", MetricKind::kEstimate, 32}};
  data.methods = {{"A", "f", "()V", MethodKind::kJava}};
  data.contexts.parent = {kNone, 0, 0};
  data.contexts.method = {0, 0, 0};
  data.contexts.site = {kNoSite, kNoSite - 1, kNoSite};
  data.contexts.columns = {{{kMax, 0, kMax}, {~Uint128{0}, 0, Uint128{kMax} + 1}}};
  data.counters["x"] = kMax;
  data.series = {{"s", "", {0, kMax}, {kNone, kNone}, {1.7976931348623157e308, 5e-324}}};
  const Profile profile = freeze(data).value();
  EXPECT_TRUE(round_trip(profile) == profile);
}

TEST(ProfileFile, holds_strings_of_any_bytes) {
  ProfileData data;
  data.info["odd"] = {std::string(1, '\0'), std::string("\xff\n;\"", 4), std::string(100'000, 'x'), ""};
  data.info[""] = {};
  data.threads = {{"größe \xf0\x9f\x9a\x80", {}, {}}};
  const Profile profile = freeze(data).value();
  EXPECT_TRUE(round_trip(profile) == profile);
}

// Whatever compresses too well is padded, or the reader would refuse it.
TEST(ProfileFile, holds_data_that_is_all_alike) {
  constexpr std::uint32_t kDepth = 500'000;
  ProfileData data;
  data.metrics = {{kCalls, "", MetricKind::kEstimate, 0}};
  data.methods = {{"A", "f", "()V", MethodKind::kJava}};
  for (std::uint32_t i = 0; i < kDepth; ++i) data.contexts.parent.push_back(i - 1);
  data.contexts.method.assign(kDepth, 0);
  data.contexts.site.assign(kDepth, kNoSite);
  data.contexts.columns.push_back({std::vector<std::uint64_t>(kDepth, 1), std::vector<Uint128>(kDepth, 0)});
  const Profile profile = freeze(data).value();
  EXPECT_LT(encode(profile).size(), kDepth / 10);
  EXPECT_TRUE(round_trip(profile) == profile);
}

// The seeds of the fuzzer are files of an earlier day: a format that cannot read them any more is another format.
TEST(ProfileFile, reads_the_files_that_are_in_the_tree) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator("tests/fuzz/corpus/profile")) {
    const base::Result<Profile> profile = read_file(entry.path());
    EXPECT_TRUE(profile.ok()) << (profile ? "" : profile.error().message);
    ++files;
  }
  EXPECT_GE(files, 12U);
}

TEST(ProfileFile, takes_at_most_12_bytes_for_a_context_at_a_million_contexts) {
  for (const bool call_sites : {false, true}) {
    const Profile profile = freeze(RealisticProfile(1'000'000).data(call_sites)).value();
    ASSERT_GT(profile->contexts.size(), 950'000U);
    const std::vector<std::uint8_t> bytes = encode(profile);
    EXPECT_LE(bytes.size(), 12 * profile->contexts.size());
    EXPECT_TRUE(decode(bytes).value() == profile);
  }
}

}  // namespace
}  // namespace bursar::profile
