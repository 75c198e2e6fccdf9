#include "analysis/difference.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <random>

#include "profile/freeze.h"
#include "random_profile.h"

namespace {

using bursar::analysis::Difference;
using bursar::analysis::difference;
using bursar::analysis::noise_limit;
using namespace bursar::profile;

Profile random_profile(std::uint64_t seed) {
  return freeze(RandomProfile(seed).data()).value();
}

// Own calls of each stack, as text.
std::map<std::string, double> stacks(const Profile& profile, std::size_t metric, bool by_method) {
  std::map<std::string, double> sums;
  const Contexts& contexts = profile->contexts;
  for (ContextId id = 0; id < contexts.size(); ++id) {
    std::string text;
    for (ContextId at = id; at != kNone; at = by_method ? kNone : contexts.parent[at]) {
      const Method& method = profile->methods[contexts.method[at]];
      text += method.class_name + "." + method.name + method.descriptor +
              std::to_string(static_cast<int>(method.kind)) + ";";
    }
    sums[text] += static_cast<double>(contexts.columns[metric].value[id]);
  }
  return sums;
}

TEST(Difference, of_exact_profiles_is_every_change_largest_first) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Profile before = random_profile(seed), after = random_profile(seed + 500);
    const Difference result = difference(before, after).value();
    const ProfileData& data = result.sides.both.data();
    std::map<std::string, double> expected;
    for (const auto& [stack, calls] : stacks(before, 0, true)) expected[stack] -= calls;
    for (const auto& [stack, calls] : stacks(after, 0, true)) expected[stack] += calls;
    std::erase_if(expected, [](const auto& entry) {
      return entry.second == 0 || entry.first.ends_with(std::to_string(static_cast<int>(MethodKind::kOverflow)) + ";");
    });
    ASSERT_EQ(result.methods.size(), expected.size());
    double last = INFINITY;
    for (const auto& row : result.methods) {
      const Method& method = data.methods[row.method];
      const std::string name = method.class_name + "." + method.name + method.descriptor +
                               std::to_string(static_cast<int>(method.kind)) + ";";
      ASSERT_EQ(row.own.difference(), expected[name]) << name;
      ASSERT_LE(std::abs(row.own.difference()), last);
      last = std::abs(row.own.difference());
    }
    ASSERT_EQ(result.methods_within_error, 0U);
  }
}

TEST(Difference, a_profile_does_not_differ_from_itself) {
  const Profile profile = random_profile(3);
  const Difference result = difference(profile, profile).value();
  EXPECT_TRUE(result.methods.empty());
  EXPECT_TRUE(result.contexts.empty());
  EXPECT_EQ(result.total.difference(), 0);
}

// Sampled numbers of a program that did not change: hardly ever is a change seen, in any of 400 methods. One that did
// change is seen among them.
TEST(Difference, leaves_noise_out_and_keeps_a_change) {
  std::mt19937_64 random(11);
  int false_alarms = 0, found = 0;
  for (int round = 0; round < 40; ++round) {
    const auto sampled = [&](double changed) {
      ProfileData data;
      data.metrics = {{kSamples, "", MetricKind::kSamples, 0}};
      data.contexts.columns.resize(1);
      for (MethodId i = 0; i < 400; ++i) {
        data.methods.push_back({"C", "m" + std::to_string(i), "()V"});
        data.contexts.parent.push_back(kNone);
        data.contexts.method.push_back(i);
        data.contexts.site.push_back(kNoSite);
        std::poisson_distribution<std::uint64_t> draw(i == 7 ? changed : 5.0 + i);
        data.contexts.columns[0].value.push_back(draw(random));
      }
      return freeze(std::move(data)).value();
    };
    false_alarms += difference(sampled(200), sampled(200)).value().methods.empty() ? 0 : 1;
    const Difference result = difference(sampled(200), sampled(600)).value();
    found += !result.methods.empty() && result.sides.both->methods[result.methods[0].method].name == "m7";
    EXPECT_GT(result.methods_within_error, 300U);
  }
  EXPECT_LE(false_alarms, 8);
  EXPECT_EQ(found, 40);
}

TEST(Difference, what_an_estimate_missed_is_no_change_if_it_is_small) {
  const auto profile = [](MetricKind kind, std::vector<std::uint64_t> values, std::vector<Uint128> variances) {
    ProfileData data;
    data.metrics = {{kCalls, "", kind, 0}};
    data.methods = {{"C", "large", "()V"}, {"C", "small", "()V"}, {"C", "other", "()V"}};
    data.contexts.parent = {kNone, kNone, kNone};
    data.contexts.method = {0, 1, 2};
    data.contexts.site = {kNoSite, kNoSite, kNoSite};
    data.contexts.columns = {{std::move(values), std::move(variances)}};
    return freeze(std::move(data)).value();
  };
  // An estimate in which 10,000 calls have a deviation of 1,000.
  const Profile estimate = profile(MetricKind::kEstimate, {0, 0, 10'000}, {0, 0, 1'000'000});
  const Difference result = difference(profile(MetricKind::kExact, {50'000, 200, 10'500}, {}), estimate).value();
  ASSERT_EQ(result.methods.size(), 1U);
  EXPECT_EQ(result.sides.both->methods[result.methods[0].method].name, "large");
  EXPECT_EQ(result.methods_within_error, 2U);
}

TEST(NoiseLimit, grows_with_the_numbers) {
  EXPECT_NEAR(noise_limit(1), 1.96, 0.001);
  EXPECT_NEAR(noise_limit(5), 2.5758, 0.001);
  EXPECT_NEAR(noise_limit(1'000'000), 5.4513, 0.01);
}

}  // namespace
