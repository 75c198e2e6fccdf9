#include "cli/suggestion.h"

#include <gtest/gtest.h>

namespace {

using bursar::cli::closest_word;
using bursar::cli::did_you_mean;

const std::vector<std::string> kWords = {"report", "tree", "compare", "merge", "export", "import", "validate"};

TEST(Suggestion, finds_slips_of_the_finger) {
  EXPECT_EQ(closest_word("reprot", kWords), "report");
  EXPECT_EQ(closest_word("repor", kWords), "report");
  EXPECT_EQ(closest_word("exprot", kWords), "export");
  EXPECT_EQ(closest_word("imprt", kWords), "import");
  EXPECT_EQ(closest_word("validate", kWords), "validate");
}

TEST(Suggestion, stays_silent_when_nothing_is_close) {
  EXPECT_EQ(closest_word("frobnicate", kWords), std::nullopt);
  EXPECT_EQ(closest_word("", kWords), std::nullopt);
  EXPECT_EQ(closest_word("x", {}), std::nullopt);
  EXPECT_EQ(closest_word(std::string(1'000'000, 'a'), kWords), std::nullopt);
}

TEST(Suggestion, is_put_into_words) {
  EXPECT_EQ(did_you_mean("mrege", kWords), " (did you mean merge?)");
  EXPECT_EQ(did_you_mean("frobnicate", kWords), "");
}

}  // namespace
