#include "analysis/inline_advice.h"

#include <gtest/gtest.h>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

constexpr std::uint32_t kSite = 3;

// A program with 1,000,000 calls in all: `calls` of them from A to B, which has `size` bytes; A is called ten times.
profile::Profile program(std::uint64_t calls, std::uint32_t size) {
  return HandProfile()
      .edge("Main", 1, "A", 10)
      .edge("A", kSite, "B", calls)
      .edge("Main", 2, "Rest", 1'000'000 - 10 - calls)
      .size("A", 50)
      .size("B", size)
      .frozen();
}

InlineDecision decision(const profile::Profile& profile, const std::string& callee, const InlineRules& rules = {}) {
  for (const InlineDecision& decision : inline_advice(profile, 0, rules).decisions) {
    if (profile->methods[decision.edge.callee].name == callee) return decision;
  }
  ADD_FAILURE() << "no call of " << callee;
  return {};
}

InlineReason reason(std::uint64_t calls, std::uint32_t size, const InlineRules& rules = {}) {
  return decision(program(calls, size), "B", rules).reason;
}

TEST(InlineAdvice, inlines_trivial_callees_however_seldom_they_are_called) {
  EXPECT_EQ(reason(0, 11), InlineReason::kTrivial);
  EXPECT_EQ(reason(0, 1), InlineReason::kTrivial);
  EXPECT_EQ(reason(50'000, 11), InlineReason::kTrivial);
}

TEST(InlineAdvice, has_the_limits_of_the_paper_where_the_profile_is_silent) {
  EXPECT_EQ(reason(0, 17), InlineReason::kSmall);
  EXPECT_EQ(reason(0, 18), InlineReason::kTooLargeForSilent);
  EXPECT_EQ(reason(99, 18), InlineReason::kTooLargeForSilent) << "below 0.01 % is silence";
  EXPECT_EQ(reason(0, 23, {.silent_limit = 23}), InlineReason::kSmall);
  EXPECT_EQ(reason(0, 24, {.silent_limit = 23}), InlineReason::kTooLargeForSilent);
}

TEST(InlineAdvice, limit_grows_with_the_share_of_calls_up_to_the_maximum) {
  const InlineRules rules;
  EXPECT_EQ(rules.size_limit(0.0001), 70U);  // 23 + 477 / 10
  EXPECT_EQ(rules.size_limit(0.0005), 261U);
  EXPECT_EQ(rules.size_limit(0.001), 500U);
  EXPECT_EQ(rules.size_limit(1), 500U);
  EXPECT_EQ(reason(500, 261), InlineReason::kFrequent);
  EXPECT_EQ(reason(500, 262), InlineReason::kTooLarge);
  EXPECT_EQ(reason(1'000, 500), InlineReason::kFrequent);
  EXPECT_EQ(reason(50'000, 501), InlineReason::kTooLarge);
}

TEST(InlineAdvice, a_maximum_below_the_static_limit_does_not_lower_it) {
  const InlineRules rules{.max_size = 5};
  EXPECT_EQ(rules.size_limit(1), 23U);
}

TEST(InlineAdvice, never_inlines_what_has_no_bytecode_no_known_size_or_calls_itself) {
  const profile::Profile profile = HandProfile()
                                       .edge("A", 0, "N", 10)
                                       .edge("A", 1, "[overflow]", 10)
                                       .edge("A", 2, "U", 10)
                                       .edge("S", 3, "S", 10)
                                       .size("N", 4)
                                       .size("S", 4)
                                       .kind("N", profile::MethodKind::kNative)
                                       .frozen();
  EXPECT_EQ(decision(profile, "N").reason, InlineReason::kNoBytecode);
  EXPECT_EQ(decision(profile, "[overflow]").reason, InlineReason::kNoBytecode);
  EXPECT_EQ(decision(profile, "U").reason, InlineReason::kUnknownSize);
  EXPECT_EQ(decision(profile, "S").reason, InlineReason::kRecursive);
}

TEST(InlineAdvice, knows_what_hotspot_does_unasked) {
  EXPECT_EQ(decision(program(1'000, 35), "B").hotspot, HotSpotView::kInlines);
  EXPECT_EQ(decision(program(1'000, 36), "B").hotspot, HotSpotView::kInlinesIfHot);
  EXPECT_EQ(decision(program(1'000, 325), "B").hotspot, HotSpotView::kInlinesIfHot);
  EXPECT_EQ(decision(program(1'000, 326), "B").hotspot, HotSpotView::kLeaves);
  EXPECT_FALSE(decision(program(1'000, 325), "B").adds());
  EXPECT_TRUE(decision(program(1'000, 326), "B").adds());
}

TEST(InlineAdvice, a_call_made_by_few_of_the_callers_calls_is_not_hot_to_hotspot) {
  const auto of = [](std::uint64_t calls_of_caller) {
    return decision(
        HandProfile().edge("M", 0, "A", calls_of_caller).edge("A", 1, "B", 1'000).size("A", 9).size("B", 100).frozen(),
        "B");
  };
  EXPECT_EQ(of(4'000).hotspot, HotSpotView::kInlinesIfHot);
  EXPECT_EQ(of(4'001).hotspot, HotSpotView::kLeaves);
  EXPECT_TRUE(of(4'001).adds());
}

TEST(InlineAdvice, refuses_what_hotspot_inlines_and_the_profile_is_silent_about) {
  EXPECT_TRUE(decision(program(0, 30), "B").refuses());
  EXPECT_FALSE(decision(program(0, 17), "B").refuses());
  EXPECT_FALSE(decision(program(0, 36), "B").refuses()) << "HotSpot leaves it alone, too";
  EXPECT_FALSE(decision(program(101, 75), "B").refuses()) << "called, only too large";
}

TEST(InlineAdvice, sorts_by_calls_and_counts_first_frames_as_invocations) {
  const profile::Profile profile = HandProfile().calls("A(B(C)C)").size("B", 1).size("C", 1).frozen();
  const InlineAdvice advice = inline_advice(profile, 0, {});
  EXPECT_EQ(advice.total, 3);
  ASSERT_EQ(advice.decisions.size(), 3U);
  EXPECT_NEAR(advice.decisions.front().share, 1.0 / 3, 1e-12);
  EXPECT_EQ(advice.invocations, (std::vector<double>{1, 1, 2}));
}

TEST(InlineAdvice, has_nothing_to_say_about_an_empty_profile) {
  const InlineAdvice advice = inline_advice(HandProfile().frozen(), 0, {});
  EXPECT_TRUE(advice.decisions.empty());
  EXPECT_EQ(advice.total, 0);
}

}  // namespace
}  // namespace bursar::analysis
