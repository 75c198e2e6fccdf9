#include "cli/text.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using namespace bursar::cli;

TEST(Text, groups_digits_by_three) {
  EXPECT_EQ(grouped(std::uint64_t{0}), "0");
  EXPECT_EQ(grouped(std::uint64_t{999}), "999");
  EXPECT_EQ(grouped(std::uint64_t{1000}), "1,000");
  EXPECT_EQ(grouped(~std::uint64_t{0}), "18,446,744,073,709,551,615");
  EXPECT_EQ(grouped(1234.6), "1,235");
  EXPECT_EQ(grouped(-1.0), "0");
}

TEST(Text, a_share_too_small_to_show_is_not_shown_as_nothing) {
  EXPECT_EQ(percent(1, 3), "33.33 %");
  EXPECT_EQ(percent(0, 3), "0.00 %");
  EXPECT_EQ(percent(1, 1e9), "<0.01 %");
  EXPECT_EQ(percent(5, 0), "0.00 %");
}

TEST(Text, counts_with_their_noun) {
  EXPECT_EQ(counted(1, "context"), "1 context");
  EXPECT_EQ(counted(0, "context"), "0 contexts");
  EXPECT_EQ(counted(12345, "context"), "12,345 contexts");
}

TEST(Text, elides_in_the_middle_and_keeps_more_of_the_end) {
  EXPECT_EQ(elided("com.acme.Main.main", 0, true), "com.acme.Main.main");
  EXPECT_EQ(elided("com.acme.Main.main", 18, true), "com.acme.Main.main");
  EXPECT_EQ(elided("com.acme.Main.main", 13, true), "com.…ain.main");
  EXPECT_EQ(elided("com.acme.Main.main", 13, false), "com...in.main");
  EXPECT_EQ(elided("ééééé", 4, true), "é…éé");
  EXPECT_EQ(elided("abcdef", 1, true), "a");
}

TEST(Text, an_elided_text_is_as_wide_as_asked_for) {
  std::mt19937 random(1);
  for (int i = 0; i < 10'000; ++i) {
    std::string text;
    for (std::size_t n = random() % 30; n-- > 0;) text += random() % 2 == 0 ? "a" : "ü";
    const std::size_t width = random() % 20 + 1;
    ASSERT_EQ(display_width(elided(text, width, random() % 2 == 0)), std::min(width, display_width(text)));
  }
}

TEST(Text, nothing_that_is_printed_can_steer_a_terminal) {
  EXPECT_EQ(printable("plain ünïcode …"), "plain ünïcode …");
  EXPECT_EQ(printable("\x1b[2J\n\t\x7f"), "\\x1b[2J\\x0a\\x09\\x7f");
  EXPECT_EQ(printable("\xc2\x9b[2J"), "\\xc2\\x9b[2J") << "the C1 form of escape [";
  EXPECT_EQ(printable("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
}

}  // namespace
