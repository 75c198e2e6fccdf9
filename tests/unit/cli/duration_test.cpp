#include "cli/duration.h"

#include <gtest/gtest.h>

namespace bursar::cli {
namespace {

TEST(Duration, a_number_and_a_unit) {
  EXPECT_EQ(*parse_duration("10ms"), 10'000'000U);
  EXPECT_EQ(*parse_duration("0.2ms"), 200'000U);
  EXPECT_EQ(*parse_duration("30s"), 30'000'000'000U);
  EXPECT_EQ(*parse_duration("1.5h"), 5'400'000'000'000U);
  EXPECT_EQ(*parse_duration("2min"), 120'000'000'000U);
  EXPECT_EQ(*parse_duration("5us"), 5'000U);
  EXPECT_EQ(*parse_duration("7ns"), 7U);
  EXPECT_EQ(*parse_duration("0s"), 0U);
}

TEST(Duration, anything_else_is_refused) {
  for (const char* text : {"", "10", "ms", "-1s", "+1s", "1e3s", "1 s", "10m", "1sec", "10msx", "nans", "infs",
                           "1000000000s", "99999999999h", "1.2.3s"}) {
    ASSERT_FALSE(parse_duration(text).ok()) << text;
    EXPECT_NE(parse_duration(text).error().message.find("write 10ms"), std::string::npos) << text;
  }
}

TEST(Duration, is_shown_as_it_would_be_written) {
  for (const char* text : {"10ms", "0.2ms", "5s", "1.5s", "20us", "7ns", "0ns", "0.05us"}) {
    const auto ns = parse_duration(text);
    ASSERT_TRUE(ns.ok()) << text;
    EXPECT_EQ(*parse_duration(duration_text(*ns)), *ns) << text;
  }
  EXPECT_EQ(duration_text(200'000), "0.2ms");
  EXPECT_EQ(duration_text(10'000'000), "10ms");
  EXPECT_EQ(duration_text(1'500'000'000), "1.5s");
  EXPECT_EQ(duration_text(90'000'000'000), "90s");
  EXPECT_EQ(duration_text(20'000), "20us");
  EXPECT_EQ(duration_text(0), "0ns");
}

}  // namespace
}  // namespace bursar::cli
