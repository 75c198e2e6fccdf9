#include "schemes/needless_checks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bursar::schemes {
namespace {

constexpr Check kOuter{1, true}, kEntry{2, false}, kLoop{2, true}, kDeep{3, false};

struct At {
  Check check;
  std::uint64_t depth;
  int times = 1;
};

// The program is at each of these in turn, 100 ns at each.
CheckWindow window(const std::vector<At>& round, int rounds) {
  CheckWindow made;
  for (int i = 0; i < rounds; ++i) {
    for (const At& at : round) {
      for (int k = 0; k < at.times; ++k) made.push_back({at.check, 100 * made.size(), at.depth});
    }
  }
  return made;
}

bool is_needless(Check check, const std::vector<CheckWindow>& windows, const Checks& given_up = {}) {
  const auto needless = needless_checks(windows, given_up, 5000);
  return std::find(needless.begin(), needless.end(), check) != needless.end();
}

TEST(NeedlessChecks, an_entry_is_if_its_caller_has_checked_just_before) {
  EXPECT_TRUE(is_needless(kEntry, {window({{kOuter, 1000}, {kEntry, 2000, 20}}, 20)}));
  EXPECT_FALSE(is_needless(kEntry, {window({{kOuter, 1000}, {kEntry, 2000, 100}}, 4)})) << "too long before";
  EXPECT_FALSE(is_needless(kEntry, {window({{kOuter, 1000}, {kEntry, 2000, 20}}, 20)}, {kOuter})) << "not any more";
}

TEST(NeedlessChecks, an_entry_is_not_because_of_what_it_calls) {
  EXPECT_FALSE(is_needless(kEntry, {window({{kDeep, 3000, 20}, {kEntry, 2000}}, 20)}));
}

TEST(NeedlessChecks, a_loop_is_if_its_method_was_entered_just_before) {
  EXPECT_TRUE(is_needless(kLoop, {window({{kEntry, 2000}, {kLoop, 2016, 20}}, 20)}));
  EXPECT_FALSE(is_needless(kLoop, {window({{kEntry, 2000}, {kLoop, 2016, 200}}, 2)})) << "it stays for long";
  EXPECT_FALSE(is_needless(kLoop, {window({{kDeep, 3000}, {kLoop, 2000, 20}}, 20)})) << "what it calls does not help";
}

TEST(NeedlessChecks, the_last_one_of_a_chain_stays) {
  const std::vector<CheckWindow> windows = {window({{kEntry, 2000}, {kLoop, 2016, 3}, {kDeep, 3000, 5}}, 20)};
  EXPECT_TRUE(is_needless(kDeep, windows));
  EXPECT_TRUE(is_needless(kLoop, windows));
  EXPECT_FALSE(is_needless(kEntry, windows));
}

TEST(NeedlessChecks, what_stands_alone_somewhere_stays_everywhere) {
  EXPECT_FALSE(
      is_needless(kEntry, {window({{kOuter, 1000}, {kEntry, 2000, 20}}, 20), window({{kEntry, 2000, 50}}, 1)}));
}

TEST(NeedlessChecks, few_may_be_chance) {
  EXPECT_FALSE(is_needless(kEntry, {window({{kOuter, 1000}, {kEntry, 2000}}, 3)}));
}

TEST(HastyLoops, are_those_that_come_to_a_check_again_at_once) {
  const std::vector<CheckWindow> windows = {window({{kLoop, 2000, 20}}, 1)};
  EXPECT_EQ(hasty_loops(windows, {}, 1000), std::vector<std::uint32_t>{kLoop.method});
  EXPECT_TRUE(hasty_loops(windows, {}, 100).empty()) << "not that soon";
  EXPECT_TRUE(hasty_loops(windows, {kLoop}, 1000).empty()) << "it is closed";
}

TEST(HastyLoops, are_none_that_call_what_checks) {
  const std::vector<CheckWindow> windows = {window({{kLoop, 2000}, {kDeep, 3000}}, 20)};
  EXPECT_TRUE(hasty_loops(windows, {}, 1000).empty());
}

}  // namespace
}  // namespace bursar::schemes
