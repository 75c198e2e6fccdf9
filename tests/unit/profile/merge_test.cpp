#include "profile/merge.h"

#include <gtest/gtest.h>

#include "ledger.h"
#include "profile/profile_file.h"
#include "random_profile.h"

namespace bursar::profile {
namespace {

// Profiles that differ in everything that can be merged: identities, metrics, kinds, scales.
Profile some_profile(std::uint64_t seed) {
  RandomProfile random(seed * 7919 + 17);
  RandomProfileOptions options;
  options.contexts = random.below(80);
  options.methods = 1 + random.below(15);
  options.threads = random.below(4);
  options.paths = random.one_in(3) ? 0 : 8;
  options.branches = random.one_in(3) ? 0 : 8;
  options.identity.call_sites = random.one_in(2);
  options.identity.descriptors = !random.one_in(3);
  options.extreme_numbers = random.one_in(3);
  options.path_kind = random.one_in(2) ? MetricKind::kExact : MetricKind::kEstimate;
  options.metrics.clear();
  if (!random.one_in(4)) {
    const bool estimate = random.one_in(2);
    const auto scale = static_cast<std::uint8_t>(random.below(33));
    options.metrics.push_back(
        {kCalls, "", estimate ? MetricKind::kEstimate : MetricKind::kExact, estimate ? scale : std::uint8_t{0}});
  }
  if (random.one_in(3)) options.metrics.push_back({kSamples, "", MetricKind::kSamples, 0});
  if (random.one_in(3)) options.metrics.push_back({"bytecodes", "instructions", MetricKind::kExact, 0});
  return RandomProfile(seed, options).profile();
}

Profile sum_of(const Profile& a, const Profile& b) {
  base::Result<Profile> sum = merge(a, b);
  EXPECT_TRUE(sum.ok()) << (sum ? "" : sum.error().message);
  return sum ? *sum : Profile();
}

void expect_same(const Profile& a, const Profile& b, std::uint64_t seed) {
  EXPECT_TRUE(a == b) << "seed " << seed;
  EXPECT_EQ(encode(a), encode(b)) << "seed " << seed;
}

TEST(Merge, is_commutative) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Profile a = some_profile(2 * seed);
    const Profile b = some_profile(2 * seed + 1);
    expect_same(sum_of(a, b), sum_of(b, a), seed);
  }
}

TEST(Merge, is_associative) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Profile a = some_profile(3 * seed);
    const Profile b = some_profile(3 * seed + 1);
    const Profile c = some_profile(3 * seed + 2);
    const Profile all = sum_of(sum_of(a, b), c);
    expect_same(all, sum_of(a, sum_of(b, c)), seed);
    expect_same(all, sum_of(b, sum_of(a, c)), seed);
    expect_same(all, merge({c, a, b}).value(), seed);
  }
}

TEST(Merge, agrees_with_adding_by_name) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Profile a = some_profile(5 * seed);
    const Profile b = some_profile(5 * seed + 1);
    const Profile sum = sum_of(a, b);
    EXPECT_TRUE(validate(sum.data()).empty());
    EXPECT_TRUE(sum->identity == common_identity(a->identity, b->identity).value());
    EXPECT_TRUE(Ledger(sum.data()) == Ledger({&a.data(), &b.data()}, sum->identity, sum->metrics)) << "seed " << seed;
  }
}

TEST(Merge, of_one_profile_is_that_profile_and_of_none_the_empty_one) {
  const Profile a = some_profile(1);
  EXPECT_TRUE(merge(std::vector<Profile>{a}).value() == a);
  EXPECT_TRUE(merge(std::vector<Profile>{}).value() == Profile());
}

// One context in one thread.
Profile one_context(const std::string& metric, const std::string& unit, MetricKind kind, std::uint8_t scale,
                    std::uint64_t value, std::uint64_t variance) {
  ProfileData data;
  data.metrics = {{metric, unit, kind, scale}};
  data.methods = {{"A", "main", "()V", MethodKind::kJava}};
  data.contexts.parent = {kNone};
  data.contexts.method = {0};
  data.contexts.site = {kNoSite};
  data.contexts.columns = {{{value}, {}}};
  if (kind == MetricKind::kEstimate) data.contexts.columns[0].variance = {variance};
  data.threads = {{"main", {0}, data.contexts.columns}};
  return freeze(data).value();
}

TEST(Merge, adds_counts_at_equal_positions) {
  const Profile sum = sum_of(one_context(kCalls, "", MetricKind::kExact, 0, 5, 0),
                             one_context(kCalls, "", MetricKind::kExact, 0, 7, 0));
  EXPECT_EQ(sum->contexts.columns[0].value, std::vector<std::uint64_t>{12});
  ASSERT_EQ(sum->threads.size(), 1U);
  EXPECT_EQ(sum->threads[0].columns[0].value, std::vector<std::uint64_t>{12});
}

TEST(Merge, makes_an_exact_number_a_part_of_the_estimate_in_the_finer_scale) {
  const Profile exact = one_context(kCalls, "", MetricKind::kExact, 0, 5, 0);
  const Profile coarse = one_context(kCalls, "", MetricKind::kEstimate, 1, 7, 3);
  const Profile fine = one_context(kCalls, "", MetricKind::kEstimate, 3, 11, 2);
  const Profile sum = merge({exact, coarse, fine}).value();
  EXPECT_EQ(sum->metrics[0], (Metric{kCalls, "", MetricKind::kEstimate, 3}));
  EXPECT_EQ(sum->contexts.columns[0].value, std::vector<std::uint64_t>{(5U << 3) + (7U << 2) + 11});
  EXPECT_TRUE(sum->contexts.columns[0].variance[0] == (3U << 4) + 2);
}

TEST(Merge, takes_a_missing_metric_for_zero) {
  const Profile sum = sum_of(one_context(kCalls, "", MetricKind::kExact, 0, 5, 0),
                             one_context("bytecodes", "", MetricKind::kEstimate, 2, 9, 4));
  ASSERT_EQ(sum->metrics.size(), 2U);
  EXPECT_EQ(sum->contexts.columns[0].value, std::vector<std::uint64_t>{9});
  EXPECT_EQ(sum->contexts.columns[1].value, std::vector<std::uint64_t>{5});
}

std::string refusal_of(const Profile& a, const Profile& b) {
  const base::Result<Profile> sum = merge(a, b);
  return sum ? "" : sum.error().message;
}

TEST(Merge, refuses_to_add_samples_to_calls) {
  const std::string why = refusal_of(one_context(kCalls, "", MetricKind::kExact, 0, 5, 0),
                                     one_context(kCalls, "", MetricKind::kSamples, 0, 5, 0));
  EXPECT_NE(why.find("\"calls\" counts samples in one and events in another"), std::string::npos) << why;
}

TEST(Merge, refuses_to_add_different_units) {
  const std::string why = refusal_of(one_context("time", "ns", MetricKind::kExact, 0, 5, 0),
                                     one_context("time", "cycles", MetricKind::kExact, 0, 5, 0));
  EXPECT_NE(why.find("\"time\" is in \"ns\" in one and in \"cycles\""), std::string::npos) << why;
  ProfileData a;
  a.series = {{"latency", "ns", {}, {}, {}}};
  ProfileData b;
  b.series = {{"latency", "us", {}, {}, {}}};
  const std::string other = refusal_of(freeze(a).value(), freeze(b).value());
  EXPECT_NE(other.find("series \"latency\" is in \"ns\""), std::string::npos) << other;
}

TEST(Merge, refuses_sampled_paths_beside_counted_ones) {
  RandomProfileOptions options;
  const Profile counted = RandomProfile(1, options).profile();
  options.path_kind = MetricKind::kSamples;
  const Profile sampled = RandomProfile(2, options).profile();
  EXPECT_NE(refusal_of(counted, sampled).find("samples of paths"), std::string::npos);
  options.paths = 0;
  options.branches = 0;
  EXPECT_TRUE(merge(RandomProfile(2, options).profile(), sampled).ok()) << "a profile without paths has no say";
}

TEST(Merge, refuses_folded_beside_unfolded_recursion) {
  RandomProfileOptions options;
  options.identity.folded_recursion = true;
  const std::string why = refusal_of(RandomProfile(1, options).profile(), RandomProfile(1).profile());
  EXPECT_NE(why.find("recursion folded"), std::string::npos) << why;
}

TEST(Project, agrees_with_leaving_out_by_name) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    RandomProfileOptions options;
    options.identity.call_sites = true;
    options.extreme_numbers = seed % 2 == 0;
    const Profile profile = RandomProfile(seed, options).profile();
    for (const Identity identity : {Identity{true, false, false}, Identity{false, true, false}, Identity{}}) {
      const Profile projected = project(profile, identity).value();
      EXPECT_TRUE(projected->identity == identity);
      EXPECT_TRUE(validate(projected.data()).empty());
      EXPECT_TRUE(Ledger(projected.data()) == Ledger({&profile.data()}, identity, profile->metrics)) << "seed " << seed;
    }
  }
}

TEST(Project, keeps_the_sites_of_edges) {
  RandomProfileOptions options;
  options.identity.call_sites = true;
  const Profile profile = RandomProfile(4, options).profile();
  EXPECT_TRUE(project(profile, Identity{}).value()->edges == profile->edges);
}

TEST(Project, refuses_a_finer_identity) {
  const Profile profile = RandomProfile(4).profile();
  const base::Result<Profile> finer = project(profile, Identity{true, true, false});
  ASSERT_FALSE(finer.ok());
  EXPECT_NE(finer.error().message.find("has no call sites"), std::string::npos) << finer.error().message;
  const Profile bare = project(profile, Identity{false, false, false}).value();
  const base::Result<Profile> described = project(bare, Identity{});
  ASSERT_FALSE(described.ok());
  EXPECT_NE(described.error().message.find("has no descriptors"), std::string::npos) << described.error().message;
}

TEST(CommonIdentity, is_the_coarser_of_both) {
  const Identity sites{true, true, false};
  const Identity bare{true, false, false};
  EXPECT_TRUE(common_identity(sites, bare).value() == bare);
  EXPECT_TRUE(common_identity(bare, Identity{}).value() == (Identity{false, false, false}));
  EXPECT_FALSE(common_identity(sites, Identity{true, true, true}).ok());
}

}  // namespace
}  // namespace bursar::profile
