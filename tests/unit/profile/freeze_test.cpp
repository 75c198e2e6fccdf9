#include "profile/freeze.h"

#include <gtest/gtest.h>

#include <numeric>

#include "ledger.h"
#include "random_profile.h"
#include "realistic_profile.h"

namespace bursar::profile {
namespace {

RandomProfileOptions random_options(std::uint64_t seed) {
  RandomProfileOptions options;
  options.contexts = seed % 7 == 0 ? 0 : 10 + seed % 90;
  options.methods = 3 + seed % 20;
  options.identity.call_sites = seed % 2 == 0;
  options.identity.descriptors = seed % 3 != 0;
  options.extreme_numbers = seed % 5 == 0;
  options.path_kind = static_cast<MetricKind>(seed % 3);
  options.metrics = {{kSamples, "", MetricKind::kSamples, 0},
                     {kCalls, "", MetricKind::kEstimate, 8},
                     {"allocations", "objects", MetricKind::kExact, 0}};
  options.metrics.resize(seed % 4);
  return options;
}

// A chain of `depth` contexts of the same method, from the deepest to the root.
ProfileData chain(std::uint32_t depth) {
  ProfileData data;
  data.metrics = {{kCalls, "", MetricKind::kExact, 0}};
  data.methods = {{"A", "f", "()V", MethodKind::kJava}};
  for (std::uint32_t i = 0; i < depth; ++i) data.contexts.parent.push_back(i + 1 < depth ? i + 1 : kNone);
  data.contexts.method.assign(depth, 0);
  data.contexts.site.assign(depth, kNoSite);
  data.contexts.columns.resize(1);
  for (std::uint32_t i = 0; i < depth; ++i) data.contexts.columns[0].value.push_back(i);
  return data;
}

TEST(Freeze, says_the_same_as_the_data_and_is_canonical) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const ProfileData data = RandomProfile(seed, random_options(seed)).data();
    const base::Result<Profile> frozen = freeze(data);
    ASSERT_TRUE(frozen.ok()) << frozen.error().message;
    EXPECT_EQ(validate(frozen->data()), std::vector<std::string>()) << "seed " << seed;
    EXPECT_TRUE(Ledger(frozen->data()) == Ledger(data)) << "seed " << seed;
  }
}

TEST(Freeze, changes_nothing_the_second_time) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Profile frozen = RandomProfile(seed, random_options(seed)).profile();
    EXPECT_TRUE(freeze(frozen.data()).value() == frozen) << "seed " << seed;
    EXPECT_TRUE(accept_canonical(frozen.data()).value() == frozen) << "seed " << seed;
  }
}

TEST(Freeze, of_nothing_is_the_empty_profile) {
  EXPECT_TRUE(freeze(ProfileData()).value() == Profile());
}

TEST(Freeze, adds_up_siblings_that_coincide_with_their_subtrees) {
  ProfileData data;
  data.metrics = {{kCalls, "", MetricKind::kExact, 0}};
  data.methods = {{"A", "main", "()V", MethodKind::kJava},
                  {"A", "f", "()V", MethodKind::kJava},
                  {"A", "f", "()V", MethodKind::kJava}};
  // main → f → main twice, once through the second entry of f, with the last child before its parent.
  data.contexts.parent = {kNone, 0, 4, 1, 0};
  data.contexts.method = {0, 1, 0, 0, 2};
  data.contexts.site.assign(5, kNoSite);
  data.contexts.columns = {{{1, 10, 100, 1000, 10'000}, {}}};
  const Profile frozen = freeze(data).value();
  EXPECT_EQ(frozen->methods.size(), 2U);
  EXPECT_EQ(frozen->contexts.parent, (std::vector<ContextId>{kNone, 0, 1}));
  EXPECT_EQ(frozen->contexts.method, (std::vector<MethodId>{1, 0, 1}));
  EXPECT_EQ(frozen->contexts.columns[0].value, (std::vector<std::uint64_t>{1, 10'010, 1100}));
}

TEST(Freeze, stops_at_the_largest_number) {
  ProfileData data = chain(1);
  data.contexts.parent = {kNone, kNone};
  data.contexts.method = {0, 0};
  data.contexts.site = {kNoSite, kNoSite};
  data.contexts.columns[0].value = {~std::uint64_t{0} - 1, 5};
  EXPECT_EQ(freeze(data).value()->contexts.columns[0].value, std::vector<std::uint64_t>{~std::uint64_t{0}});
}

TEST(Freeze, drops_methods_that_nobody_names) {
  ProfileData data = chain(2);
  data.methods.push_back({"B", "unused", "()V", MethodKind::kJava});
  EXPECT_EQ(freeze(data).value()->methods.size(), 1U);
}

TEST(Freeze, sorts_metrics_by_name_with_their_columns) {
  ProfileData data = chain(2);
  data.metrics.push_back({"bytecodes", "", MetricKind::kExact, 0});
  data.contexts.columns.push_back({{70, 80}, {}});
  const Profile frozen = freeze(data).value();
  EXPECT_EQ(frozen->metrics[0].name, "bytecodes");
  EXPECT_EQ(frozen->contexts.columns[0].value, (std::vector<std::uint64_t>{80, 70}));
  EXPECT_EQ(frozen->contexts.columns[1].value, (std::vector<std::uint64_t>{1, 0}));
}

TEST(Freeze, takes_chains_of_any_depth) {
  const Profile frozen = freeze(chain(300'000)).value();
  ASSERT_EQ(frozen->contexts.size(), 300'000U);
  EXPECT_EQ(frozen->contexts.parent[0], kNone);
  EXPECT_EQ(frozen->contexts.parent[299'999], 299'998U);
  EXPECT_EQ(frozen->contexts.columns[0].value[299'999], 0U);
  EXPECT_TRUE(validate(frozen.data()).empty());
}

TEST(Freeze, takes_a_very_wide_node) {
  constexpr std::uint32_t kWidth = 200'000;
  ProfileData data = chain(1);
  data.identity.call_sites = true;
  for (std::uint32_t i = 0; i < kWidth; ++i) {
    data.contexts.parent.push_back(0);
    data.contexts.method.push_back(0);
    data.contexts.site.push_back((i * 7919U) % (kWidth / 2));
    data.contexts.columns[0].value.push_back(1);
  }
  const Profile frozen = freeze(data).value();
  ASSERT_EQ(frozen->contexts.size(), kWidth / 2 + 1);
  EXPECT_EQ(frozen->contexts.columns[0].value[1], 2U);
}

TEST(Freeze, takes_a_million_contexts) {
  ProfileData data = RealisticProfile(1'000'000).data();
  const std::uint64_t total =
      std::accumulate(data.contexts.columns[0].value.begin(), data.contexts.columns[0].value.end(), std::uint64_t{0});
  const Profile frozen = freeze(std::move(data)).value();
  EXPECT_TRUE(validate(frozen.data()).empty());
  EXPECT_GT(frozen->contexts.size(), 950'000U);
  EXPECT_EQ(std::accumulate(frozen->contexts.columns[0].value.begin(), frozen->contexts.columns[0].value.end(),
                            std::uint64_t{0}),
            total);
}

std::string refusal_of(ProfileData data) {
  const base::Result<Profile> frozen = freeze(std::move(data));
  return frozen ? "" : frozen.error().message;
}

TEST(Freeze, refuses_a_cycle) {
  ProfileData data = chain(3);
  data.contexts.parent = {1, 2, 0};
  EXPECT_NE(refusal_of(data).find("cycle"), std::string::npos) << refusal_of(data);
  data.contexts.parent = {kNone, 1, 0};
  EXPECT_NE(refusal_of(data).find("context 1 has no root"), std::string::npos) << refusal_of(data);
}

TEST(Freeze, refuses_ids_out_of_range) {
  ProfileData data = chain(3);
  data.contexts.method[1] = 9;
  EXPECT_NE(refusal_of(data).find("method of context 1 is 9"), std::string::npos) << refusal_of(data);
  data = chain(3);
  data.contexts.parent[2] = 3;
  EXPECT_NE(refusal_of(data).find("parent of context 2 is 3"), std::string::npos) << refusal_of(data);
  data = chain(3);
  data.threads.push_back({"main", {3}, {{{1}, {}}}});
  EXPECT_NE(refusal_of(data).find("(main): context 0 is 3"), std::string::npos) << refusal_of(data);
}

TEST(Freeze, refuses_columns_of_the_wrong_length) {
  ProfileData data = chain(3);
  data.contexts.columns[0].value.pop_back();
  EXPECT_NE(refusal_of(data).find("column calls has 2 entries where 3 belong"), std::string::npos) << refusal_of(data);
  data = chain(3);
  data.contexts.columns.clear();
  EXPECT_NE(refusal_of(data).find("list of columns"), std::string::npos) << refusal_of(data);
  data = chain(3);
  data.metrics[0].kind = MetricKind::kEstimate;
  EXPECT_NE(refusal_of(data).find("variance"), std::string::npos) << refusal_of(data);
}

TEST(Freeze, refuses_metrics_that_are_unclear) {
  ProfileData data = chain(1);
  data.metrics.push_back(data.metrics[0]);
  data.contexts.columns.push_back(data.contexts.columns[0]);
  EXPECT_NE(refusal_of(data).find("calls is there twice"), std::string::npos) << refusal_of(data);
  data = chain(1);
  data.metrics[0].scale_log2 = 3;
  EXPECT_NE(refusal_of(data).find("only an estimate"), std::string::npos) << refusal_of(data);
  data = ProfileData();
  for (std::size_t i = 0; i <= kMaxMetrics; ++i) {
    data.metrics.push_back({"m" + std::to_string(i), "", MetricKind::kExact, 0});
  }
  EXPECT_NE(refusal_of(data).find("at most 64"), std::string::npos) << refusal_of(data);
}

TEST(Freeze, refuses_a_value_that_is_not_finite) {
  ProfileData data;
  data.series.push_back({"density", "", {1}, {kNone}, {0.0 / 0.0}});
  EXPECT_NE(refusal_of(data).find("not finite"), std::string::npos) << refusal_of(data);
}

TEST(Freeze, counts_native_and_java_as_one_without_descriptors_but_not_pseudo_methods) {
  ProfileData data = chain(3);
  data.identity.descriptors = false;
  data.methods = {{"A", "f", "()V", MethodKind::kNative},
                  {"A", "f", "(I)V", MethodKind::kJava},
                  {"A", "f", "", MethodKind::kPseudo}};
  data.contexts.parent = {kNone, kNone, kNone};
  data.contexts.method = {0, 1, 2};
  const Profile frozen = freeze(data).value();
  ASSERT_EQ(frozen->methods.size(), 2U);
  EXPECT_EQ(frozen->methods[0], (Method{"A", "f", "", MethodKind::kJava}));
  EXPECT_EQ(frozen->methods[1], (Method{"A", "f", "", MethodKind::kPseudo}));
  EXPECT_EQ(frozen->contexts.columns[0].value, (std::vector<std::uint64_t>{1, 2}));
}

}  // namespace
}  // namespace bursar::profile
