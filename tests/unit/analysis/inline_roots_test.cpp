#include "analysis/inline_roots.h"

#include <gtest/gtest.h>

#include <map>

#include "hand_profile.h"

namespace bursar::analysis {
namespace {

struct Named {
  std::string inlined, refused;
  double calls, added_calls;
};

std::map<std::string, Named> roots_of(const profile::Profile& profile, const InlineRules& rules = {}) {
  const auto names = [&](const std::vector<profile::MethodId>& methods) {
    std::string all;
    for (const profile::MethodId method : methods) all += profile->methods[method].name;
    return all;
  };
  std::map<std::string, Named> result;
  for (const InlineRoot& root : inline_roots(profile, inline_advice(profile, 0, rules), rules)) {
    result[profile->methods[root.method].name] = {names(root.inlined), names(root.refused), root.calls,
                                                  root.added_calls};
  }
  return result;
}

TEST(InlineRoots, a_callee_is_named_for_every_root_its_caller_may_be_inlined_into) {
  const profile::Profile profile = HandProfile()
                                       .context("R", 1)
                                       .edge("R", 1, "A", 1'000)
                                       .edge("A", 2, "B", 1'000)
                                       .size("R", 100)
                                       .size("A", 20)
                                       .size("B", 400)
                                       .frozen();
  const auto roots = roots_of(profile);
  ASSERT_EQ(roots.size(), 2U);
  EXPECT_EQ(roots.at("R").inlined, "B");
  EXPECT_EQ(roots.at("R").calls, 2'000);
  EXPECT_EQ(roots.at("R").added_calls, 1'000);
  EXPECT_EQ(roots.at("A").inlined, "B");
}

TEST(InlineRoots, a_root_that_gains_nothing_hotspot_would_not_do_is_left_out) {
  const profile::Profile profile = HandProfile().context("R", 1).edge("R", 1, "A", 1'000).size("A", 20).frozen();
  EXPECT_TRUE(roots_of(profile).empty());
}

TEST(InlineRoots, what_hotspot_inlines_if_hot_is_left_to_it) {
  const profile::Profile profile = HandProfile()
                                       .context("P", 1)
                                       .context("Q", 1)
                                       .edge("P", 1, "A", 9'000)
                                       .edge("Q", 1, "B", 1'000)
                                       .size("A", 200)
                                       .size("B", 400)
                                       .frozen();
  const auto roots = roots_of(profile);
  ASSERT_EQ(roots.size(), 1U);
  EXPECT_EQ(roots.at("Q").inlined, "B");
}

TEST(InlineRoots, calls_count_by_the_part_of_the_caller_that_a_root_brings) {
  const profile::Profile profile = HandProfile()
                                       .context("R", 1)
                                       .context("Q", 1)
                                       .edge("R", 1, "A", 750)
                                       .edge("Q", 1, "A", 250)
                                       .edge("A", 2, "B", 1'000)
                                       .size("A", 20)
                                       .size("B", 400)
                                       .frozen();
  const auto roots = roots_of(profile);
  EXPECT_DOUBLE_EQ(roots.at("R").added_calls, 750);
  EXPECT_DOUBLE_EQ(roots.at("Q").added_calls, 250);
  EXPECT_DOUBLE_EQ(roots.at("A").added_calls, 1'000);
}

TEST(InlineRoots, recursion_ends_and_never_names_the_root_itself) {
  const profile::Profile profile = HandProfile()
                                       .context("A", 10)
                                       .edge("A", 1, "B", 1'000)
                                       .edge("B", 2, "A", 990)
                                       .size("A", 400)
                                       .size("B", 400)
                                       .frozen();
  const auto roots = roots_of(profile);
  EXPECT_EQ(roots.at("A").inlined, "B");
  EXPECT_EQ(roots.at("B").inlined, "A");
}

TEST(InlineRoots, goes_no_deeper_than_hotspot) {
  HandProfile chain;
  chain.context("m00", 1);
  for (int i = 0; i < 20; ++i) {
    const auto name = [](int n) { return std::string(n < 10 ? "m0" : "m") + std::to_string(n); };
    chain.edge(name(i), 1, name(i + 1), 1).size(name(i + 1), 400);
  }
  const auto roots = roots_of(chain.frozen());
  EXPECT_EQ(roots.at("m00").inlined.size(), 3 * kHotSpotMaxInlineLevel);
}

TEST(InlineRoots, refuses_silent_calls_unless_the_callee_is_wanted_elsewhere_in_the_root) {
  const profile::Profile profile = HandProfile()
                                       .context("R", 1)
                                       .edge("R", 1, "A", 100'000)
                                       .edge("R", 2, "C", 1)
                                       .edge("R", 3, "D", 1)
                                       .edge("A", 2, "B", 100'000)
                                       .edge("A", 3, "D", 100'000)
                                       .size("A", 20)
                                       .size("B", 400)
                                       .size("C", 30)
                                       .size("D", 30)
                                       .frozen();
  EXPECT_EQ(roots_of(profile).at("R").inlined, "B");
  EXPECT_EQ(roots_of(profile).at("R").refused, "C");
}

TEST(InlineRoots, stand_ins_are_no_roots) {
  const profile::Profile profile = HandProfile()
                                       .context("V", 1)
                                       .edge("V", 1, "B", 1'000)
                                       .size("B", 400)
                                       .kind("V", profile::MethodKind::kPseudo)
                                       .frozen();
  EXPECT_TRUE(roots_of(profile).empty());
}

}  // namespace
}  // namespace bursar::analysis
