#include "schemes/needless_checks.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace bursar::schemes {
namespace {

constexpr Gate kOuter = 1, kFirst = 2, kSecond = 3, kDeep = 4;

struct At {
  Gate gate;
  std::size_t depth;
  int times = 1;
};

// The program is at each of these in turn, 100 ns at each.
CheckWindow window(const std::vector<At>& round, int rounds) {
  CheckWindow made;
  for (int i = 0; i < rounds; ++i) {
    for (const At& at : round) {
      for (int k = 0; k < at.times; ++k) made.push_back({at.gate, 100 * made.size(), at.depth});
    }
  }
  return made;
}

// In a program that shows these windows so many times.
bool is_needless(Gate gate, const std::vector<CheckWindow>& windows, const std::unordered_set<Gate>& given_up = {},
                 int times = 8) {
  std::vector<CheckWindow> seen;
  for (int i = 0; i < times; ++i) seen.insert(seen.end(), windows.begin(), windows.end());
  const auto needless = needless_gates(seen, given_up, 5000);
  return std::find(needless.begin(), needless.end(), gate) != needless.end();
}

TEST(NeedlessGates, are_those_below_which_was_decided_just_before) {
  EXPECT_TRUE(is_needless(kFirst, {window({{kOuter, 1}, {kFirst, 2, 20}}, 20)}));
  EXPECT_FALSE(is_needless(kFirst, {window({{kOuter, 1}, {kFirst, 2, 100}}, 4)})) << "too long before";
  EXPECT_FALSE(is_needless(kFirst, {window({{kOuter, 1}, {kFirst, 2, 20}}, 20)}, {kOuter})) << "not any more";
}

TEST(NeedlessGates, are_none_because_of_what_they_call) {
  EXPECT_FALSE(is_needless(kFirst, {window({{kDeep, 3, 20}, {kFirst, 2}}, 20)}));
}

TEST(NeedlessGates, are_those_in_whose_frame_was_decided_just_before) {
  EXPECT_TRUE(is_needless(kSecond, {window({{kFirst, 2}, {kSecond, 2, 20}}, 20)}));
  EXPECT_FALSE(is_needless(kSecond, {window({{kFirst, 2}, {kSecond, 2, 200}}, 2)})) << "it stays for long";
  EXPECT_FALSE(is_needless(kSecond, {window({{kDeep, 3}, {kSecond, 2, 20}}, 20)})) << "what it calls does not help";
}

TEST(NeedlessGates, leave_the_last_one_of_a_chain) {
  const std::vector<CheckWindow> windows = {window({{kFirst, 2}, {kSecond, 2, 3}, {kDeep, 3, 5}}, 20)};
  EXPECT_TRUE(is_needless(kDeep, windows));
  EXPECT_TRUE(is_needless(kSecond, windows));
  EXPECT_FALSE(is_needless(kFirst, windows));
}

TEST(NeedlessGates, are_not_those_that_stand_alone_somewhere) {
  EXPECT_FALSE(is_needless(kFirst, {window({{kOuter, 1}, {kFirst, 2, 20}}, 20), window({{kFirst, 2, 90}}, 1)}));
}

TEST(NeedlessGates, may_have_been_decided_for_before_the_window) {
  std::vector<CheckWindow> windows(20, window({{kFirst, 2, 5}, {kOuter, 1}, {kFirst, 2, 20}}, 1));
  EXPECT_TRUE(is_needless(kFirst, windows));
  windows.assign(20, window({{kFirst, 2, 20}, {kOuter, 1}, {kFirst, 2, 5}}, 1));
  EXPECT_FALSE(is_needless(kFirst, windows)) << "for the most part nobody knows";
}

TEST(NeedlessGates, are_none_where_methods_call_each_other) {
  // What the outer frames decide, of which there are few, holds for all that the inner ones call.
  const std::vector<At> walk = {{kOuter, 1},    {kFirst, 2, 3}, {kSecond, 3},
                                {kFirst, 4, 3}, {kSecond, 5},   {kFirst, 6, 3}};
  EXPECT_FALSE(is_needless(kFirst, {window(walk, 20)}));
  EXPECT_TRUE(is_needless(kFirst, {window({{kOuter, 1}, {kFirst, 2, 3}, {kSecond, 2}, {kFirst, 4, 3}}, 20)}))
      << "one after the other";
}

TEST(NeedlessGates, few_may_be_chance) {
  EXPECT_FALSE(is_needless(kFirst, {window({{kOuter, 1}, {kFirst, 2}}, 3)}));
  EXPECT_FALSE(is_needless(kFirst, {window({{kOuter, 1}, {kFirst, 2, 20}}, 20)}, {}, 7)) << "many at a time, too";
}

TEST(MeanTimes, are_those_to_the_next_gate_that_decides) {
  const std::vector<CheckWindow> windows = {window({{kOuter, 1}, {kFirst, 2, 3}}, 20)};
  EXPECT_EQ(mean_times(windows, {}), (std::unordered_map<Gate, std::uint64_t>{{kOuter, 100}, {kFirst, 100}}));
  const auto without = mean_times(windows, {kFirst});
  ASSERT_EQ(without.size(), 1U);
  EXPECT_NEAR(static_cast<double>(without.at(kOuter)), 400, 10);
}

TEST(MeanTimes, are_known_of_gates_that_were_seen_once) {
  const std::vector<CheckWindow> windows = {window({{kOuter, 1}, {kFirst, 2}}, 1)};
  EXPECT_EQ(mean_times(windows, {}), (std::unordered_map<Gate, std::uint64_t>{{kOuter, 100}}));
}

}  // namespace
}  // namespace bursar::schemes
