#include "agent/filter.h"

#include <gtest/gtest.h>

#include <random>

namespace bursar::agent {
namespace {

// By the letter: a star takes nothing, or one more character.
bool naively_matches(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return naively_matches(pattern.substr(1), text) || (!text.empty() && naively_matches(pattern, text.substr(1)));
  }
  return !text.empty() && pattern.front() == text.front() && naively_matches(pattern.substr(1), text.substr(1));
}

TEST(Pattern, without_a_star_matches_itself_only) {
  EXPECT_TRUE(matches_pattern("a.B", "a.B"));
  EXPECT_FALSE(matches_pattern("a.B", "a.BC"));
  EXPECT_FALSE(matches_pattern("a.B", "xa.B"));
  EXPECT_FALSE(matches_pattern("a.B", "a/B"));
  EXPECT_TRUE(matches_pattern("", ""));
  EXPECT_FALSE(matches_pattern("", "a"));
  EXPECT_FALSE(matches_pattern("a", ""));
}

TEST(Pattern, stars_stand_for_any_text) {
  EXPECT_TRUE(matches_pattern("*", ""));
  EXPECT_TRUE(matches_pattern("a.*", "a.b.C"));
  EXPECT_TRUE(matches_pattern("a.*", "a."));
  EXPECT_FALSE(matches_pattern("a.*", "a"));
  EXPECT_TRUE(matches_pattern("*Shop", "com.acme.Shop"));
  EXPECT_TRUE(matches_pattern("*aab", "aaaab"));
  EXPECT_FALSE(matches_pattern("*Shop", "com.acme.Shops"));
}

TEST(Pattern, agrees_with_the_naive_matcher) {
  std::mt19937 random(5);
  int matched = 0;
  for (int round = 0; round < 200'000; ++round) {
    std::string pattern(random() % 7, ' '), text(random() % 9, ' ');
    for (char& c : pattern) c = "ab*"[random() % 3];
    for (char& c : text) c = "ab"[random() % 2];
    const bool expected = naively_matches(pattern, text);
    matched += expected;
    ASSERT_EQ(matches_pattern(pattern, text), expected) << pattern << " " << text;
  }
  EXPECT_GT(matched, 10'000);
}

TEST(Filter, wants_everything_unless_told) {
  EXPECT_TRUE(Filter().wants("com/acme/Shop", "open"));
  EXPECT_TRUE(Filter().wants("", ""));
}

TEST(Filter, a_class_pattern_means_all_its_methods) {
  const Filter filter({"com.acme.Shop"}, {});
  EXPECT_TRUE(filter.wants("com/acme/Shop", "open"));
  EXPECT_TRUE(filter.wants("com/acme/Shop", "<init>"));
  EXPECT_FALSE(filter.wants("com/acme/Shop$Door", "open"));
  EXPECT_FALSE(filter.wants("com/acme/Shopping", "open"));
}

TEST(Filter, a_method_pattern_means_that_method) {
  const Filter filter({"com.acme.Shop.open"}, {});
  EXPECT_TRUE(filter.wants("com/acme/Shop", "open"));
  EXPECT_FALSE(filter.wants("com/acme/Shop", "close"));
  EXPECT_FALSE(filter.wants("com/acme/Shop", "opened"));
}

TEST(Filter, an_exclude_wins_over_an_include) {
  const Filter filter({"com.acme.*", "org.*"}, {"com.acme.till.*", "*.toString"});
  EXPECT_TRUE(filter.wants("com/acme/Shop", "open"));
  EXPECT_TRUE(filter.wants("org/Other", "run"));
  EXPECT_FALSE(filter.wants("com/acme/till/Till", "open"));
  EXPECT_FALSE(filter.wants("com/acme/Shop", "toString"));
  EXPECT_FALSE(filter.wants("net/Other", "run"));
}

TEST(Filter, excludes_alone_leave_the_rest) {
  const Filter filter({}, {"java.*"});
  EXPECT_FALSE(filter.wants("java/lang/String", "length"));
  EXPECT_TRUE(filter.wants("javax/Thing", "run"));
}

}  // namespace
}  // namespace bursar::agent
