// Sizes of methods: not part of their identity, kept by the file, the larger one wins.
#include <gtest/gtest.h>

#include <algorithm>

#include "profile/freeze.h"
#include "profile/merge.h"
#include "profile/profile_file.h"

namespace bursar::profile {
namespace {

// A root that calls f(I) and f(J), of these sizes.
Profile sized(std::uint32_t of_int, std::uint32_t of_long) {
  ProfileData data;
  data.metrics = {{kCalls, "", MetricKind::kExact, 0}};
  data.methods = {{"A", "main", "()V", MethodKind::kJava, 0},
                  {"A", "f", "(I)V", MethodKind::kJava, of_int},
                  {"A", "f", "(J)V", MethodKind::kJava, of_long}};
  data.contexts.parent = {kNone, 0, 0};
  data.contexts.method = {0, 1, 2};
  data.contexts.site = {kNoSite, kNoSite, kNoSite};
  data.contexts.columns = {{{1, 2, 3}, {}}};
  return freeze(std::move(data)).value();
}

TEST(MethodSize, survives_the_file) {
  const Profile profile = sized(5, 70'000);
  EXPECT_EQ(decode(encode(profile)).value(), profile);
  EXPECT_EQ(profile->methods[0].code_bytes, 5U);
  EXPECT_EQ(profile->methods[1].code_bytes, 70'000U);
}

TEST(MethodSize, takes_no_room_in_the_file_when_none_is_known) {
  const auto without = encode(sized(0, 0));
  const auto with = encode(sized(0, 1));
  EXPECT_LT(without.size(), with.size());
  EXPECT_EQ(std::search(without.begin(), without.end(), "SIZE", "SIZE" + 4), without.end());
}

TEST(MethodSize, is_the_larger_one_when_profiles_are_merged) {
  const Profile merged = merge(sized(5, 0), sized(9, 4)).value();
  EXPECT_EQ(merged->methods.size(), 3U) << "methods of other sizes are still the same methods";
  EXPECT_EQ(merged->methods[0].code_bytes, 9U);
  EXPECT_EQ(merged->methods[1].code_bytes, 4U);
  EXPECT_EQ(merged, merge(sized(9, 4), sized(5, 0)).value());
  EXPECT_EQ(merge(merged, sized(7, 8)).value(), merge(sized(5, 0), merge(sized(9, 4), sized(7, 8)).value()).value());
}

TEST(MethodSize, is_that_of_the_largest_overload_without_descriptors) {
  const Profile coarse = project(sized(5, 12), {.descriptors = false}).value();
  ASSERT_EQ(coarse->methods.size(), 2U);
  EXPECT_EQ(coarse->methods[0].code_bytes, 12U);
}

}  // namespace
}  // namespace bursar::profile
