#include "cli/context_forest.h"

#include <gtest/gtest.h>

#include <random>

#include "export/folded.h"

namespace {

using bursar::cli::ContextForest;
using bursar::cli::ForestOptions;
using bursar::cli::ForestRow;
using bursar::exports::import_folded;
using bursar::profile::kNone;
using bursar::profile::Profile;

Profile imported(const std::string& text) {
  auto profile = import_folded(text, "calls");
  EXPECT_TRUE(profile.ok());
  return std::move(profile).value();
}

// One word for each row: dashes for its depth, then the method, or how much is left out.
std::vector<std::string> rows_of(const Profile& profile, const ForestOptions& options) {
  const auto forest = ContextForest::make(profile.data(), 0, options);
  if (!forest) return {forest.error().message};
  std::vector<std::string> rows;
  forest->walk([&](const ForestRow& row) {
    std::string text(row.depth, '-');
    if (row.context == kNone) {
      text += std::to_string(row.left_out) + ":" + std::to_string(static_cast<int>(row.left_out_amount));
    } else {
      text += profile->methods[profile->contexts.method[row.context]].name;
    }
    rows.push_back(text);
    return true;
  });
  return rows;
}

using Rows = std::vector<std::string>;
const char* const kText = "m 1\nm;a 10\nm;a;c 5\nm;b 60\nm;b;d 2\nm;b;d;e 1\nq 21\n";

TEST(ContextForest, shows_siblings_hottest_first) {
  EXPECT_EQ(rows_of(imported(kText), {}), (Rows{"m", "-b", "--d", "---e", "-a", "--c", "q"}));
}

TEST(ContextForest, counts_what_is_too_small_or_too_deep_where_it_is_missing) {
  EXPECT_EQ(rows_of(imported(kText), {.min_share_percent = 10}), (Rows{"m", "-b", "--2:3", "-a", "--1:5", "q"}));
  EXPECT_EQ(rows_of(imported(kText), {.max_depth = 1}), (Rows{"m", "-5:78", "q"}));
  EXPECT_EQ(rows_of(imported(kText), {.max_depth = 2, .min_share_percent = 50}),
            (Rows{"m", "-b", "--2:3", "-2:15", "1:21"}));
}

TEST(ContextForest, a_method_keeps_what_leads_to_it_and_what_it_calls) {
  EXPECT_EQ(rows_of(imported(kText), {.method = "d"}), (Rows{"m", "-b", "--d", "---e", "-2:15", "1:21"}));
  EXPECT_EQ(rows_of(imported(kText), {.min_share_percent = 50, .method = "e"}),
            (Rows{"m", "-b", "--d", "---e", "-2:15", "1:21"}))
      << "a rare method is not too small to show when it was asked for";
  EXPECT_EQ(rows_of(imported(kText), {.method = "nowhere"}),
            (Rows{"no context has a method with \"nowhere\" in its name"}));
}

TEST(ContextForest, a_profile_without_threads_says_so) {
  EXPECT_EQ(rows_of(imported(kText), {.thread = "main"}), (Rows{"the profile does not keep its threads apart"}));
}

TEST(ContextForest, stops_when_told) {
  const Profile profile = imported(kText);
  const auto forest = ContextForest::make(profile.data(), 0, {});
  ASSERT_TRUE(forest.ok());
  int rows = 0;
  forest->walk([&rows](const ForestRow&) { return ++rows < 3; });
  EXPECT_EQ(rows, 3);
}

TEST(ContextForest, a_hundred_thousand_levels_are_no_problem) {
  std::string text = "a";
  for (int i = 1; i < 100'000; ++i) text += ";a";
  EXPECT_EQ(rows_of(imported(text + " 1"), {.max_depth = 3}), (Rows{"a", "-a", "--a", "---99997:1"}));
  const Profile profile = imported(text + " 1");
  const auto forest = ContextForest::make(profile.data(), 0, {});
  ASSERT_TRUE(forest.ok());
  std::size_t rows = 0;
  forest->walk([&rows](const ForestRow&) { return ++rows > 0; });
  EXPECT_EQ(rows, 100'000U);
}

TEST(ContextForest, rows_always_add_up_to_the_whole) {
  std::mt19937 random(1);
  for (int i = 0; i < 500; ++i) {
    std::string text;
    for (std::size_t line = random() % 30 + 1; line-- > 0;) {
      std::string stack = "r" + std::to_string(random() % 2);
      for (std::size_t frame = random() % 6; frame-- > 0;) stack += ";m" + std::to_string(random() % 4);
      text += stack + " " + std::to_string(random() % 50) + "\n";
    }
    const Profile profile = imported(text);
    const auto forest = ContextForest::make(profile.data(), 0,
                                            {.max_depth = random() % 5,
                                             .min_share_percent = static_cast<double>(random() % 30),
                                             .method = random() % 3 == 0 ? "m1" : ""});
    if (!forest) continue;
    double sum = 0;
    std::size_t contexts = 0;
    forest->walk([&](const ForestRow& row) {
      sum += row.context == kNone ? row.left_out_amount : forest->own(row.context).value;
      contexts += row.context == kNone ? row.left_out : 1;
      return true;
    });
    ASSERT_EQ(sum, forest->total()) << text;
    ASSERT_EQ(contexts, profile->contexts.size()) << text;
  }
}

}  // namespace
