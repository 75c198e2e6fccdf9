#include "cli/byte_size.h"

#include <gtest/gtest.h>

namespace {

using bursar::cli::parse_byte_size;

TEST(ByteSize, may_have_a_unit) {
  EXPECT_EQ(parse_byte_size("65536"), 65536U);
  EXPECT_EQ(parse_byte_size("100k"), 102'400U);
  EXPECT_EQ(parse_byte_size("100M"), std::uint64_t{100} << 20);
  EXPECT_EQ(parse_byte_size("1G"), std::uint64_t{1} << 30);
  EXPECT_EQ(parse_byte_size("2T"), std::uint64_t{2} << 40);
  EXPECT_EQ(parse_byte_size("0"), 0U);
}

TEST(ByteSize, anything_else_is_none) {
  for (const char* text : {"", "M", "1MB", "1 M", "1.5G", "-1", "+1", "1x", "99999999999999999999", "9999999999G"}) {
    EXPECT_FALSE(parse_byte_size(text)) << text;
  }
}

}  // namespace
