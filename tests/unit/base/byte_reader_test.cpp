#include "base/byte_reader.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "base/byte_writer.h"

namespace bursar::base {
namespace {

using Vector = std::vector<std::uint8_t>;

TEST(ByteReader, reads_both_byte_orders) {
  const Vector bytes = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(ByteReader(bytes).u1(), 1);
  EXPECT_EQ(ByteReader(bytes).u2_be(), 0x0102);
  EXPECT_EQ(ByteReader(bytes).u4_be(), 0x01020304U);
  EXPECT_EQ(ByteReader(bytes).u2_le(), 0x0201);
  EXPECT_EQ(ByteReader(bytes).u4_le(), 0x04030201U);
  EXPECT_EQ(ByteReader(bytes).u8_le(), 0x0807060504030201U);
  EXPECT_EQ(ByteReader(bytes, 6).u2_be(), 0x0708);
}

TEST(ByteReader, fails_for_good_at_the_first_read_past_the_end) {
  const Vector bytes = {1, 2, 3};
  ByteReader in(bytes);
  in.u1();
  EXPECT_EQ(in.u4_be(), 0U);
  EXPECT_FALSE(in.ok());
  EXPECT_EQ(in.failed_at(), 1U);
  EXPECT_EQ(in.u1(), 0) << "a byte is left, but the reader has failed";
  EXPECT_EQ(in.remaining(), 0U);
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(in.take(1).empty());
}

TEST(ByteReader, fails_when_it_starts_outside) {
  const Vector bytes = {1, 2, 3};
  EXPECT_TRUE(ByteReader(bytes, 3).ok());
  EXPECT_TRUE(ByteReader(bytes, 3).at_end());
  ByteReader outside(bytes, 4);
  EXPECT_FALSE(outside.ok());
  EXPECT_EQ(outside.u1(), 0);
}

TEST(ByteReader, takes_exactly_what_is_there) {
  const Vector bytes = {1, 2, 3};
  ByteReader in(bytes);
  in.skip(1);
  const Bytes rest = in.take(2);
  EXPECT_EQ(Vector(rest.begin(), rest.end()), (Vector{2, 3}));
  EXPECT_TRUE(in.ok());
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(in.take(0).empty());
  EXPECT_TRUE(in.ok());
  in.skip(SIZE_MAX);
  EXPECT_FALSE(in.ok());
}

TEST(ByteReader, reads_varints_of_up_to_64_bits) {
  const Vector largest = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01};
  ByteReader in(largest);
  EXPECT_EQ(in.varint(), ~std::uint64_t{0});
  EXPECT_TRUE(in.ok() && in.at_end());

  const Vector too_large = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02};
  ByteReader overflow(too_large);
  EXPECT_EQ(overflow.varint(), 0U);
  EXPECT_FALSE(overflow.ok());

  const Vector too_long(11, 0x80);
  ByteReader endless(too_long);
  EXPECT_EQ(endless.varint(), 0U);
  EXPECT_FALSE(endless.ok());

  const Vector cut = {0x80};
  ByteReader short_of_bytes(cut);
  EXPECT_EQ(short_of_bytes.varint(), 0U);
  EXPECT_FALSE(short_of_bytes.ok());
}

TEST(ByteReader, reads_back_what_a_byte_writer_wrote) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::pair<int, std::uint64_t>> written;
    ByteWriter out;
    for (int i = 0; i < 50; ++i) {
      const auto kind = static_cast<int>(random() % 7);
      const std::uint64_t value = random() >> (random() % 64);
      const auto low = static_cast<std::uint32_t>(value);
      written.emplace_back(kind, value);
      if (kind == 0) out.u1(low);
      if (kind == 1) out.u2_be(low);
      if (kind == 2) out.u4_be(low);
      if (kind == 3) out.u2_le(low);
      if (kind == 4) out.u4_le(low);
      if (kind == 5) out.u8_le(value);
      if (kind == 6) out.varint(value);
    }
    ByteReader in(out.view());
    for (const auto& [kind, value] : written) {
      if (kind == 0) {
        ASSERT_EQ(in.u1(), value & 0xff);
      }
      if (kind == 1) {
        ASSERT_EQ(in.u2_be(), value & 0xffff);
      }
      if (kind == 2) {
        ASSERT_EQ(in.u4_be(), value & 0xffffffff);
      }
      if (kind == 3) {
        ASSERT_EQ(in.u2_le(), value & 0xffff);
      }
      if (kind == 4) {
        ASSERT_EQ(in.u4_le(), value & 0xffffffff);
      }
      if (kind == 5) {
        ASSERT_EQ(in.u8_le(), value);
      }
      if (kind == 6) {
        ASSERT_EQ(in.varint(), value);
      }
    }
    ASSERT_TRUE(in.ok() && in.at_end());
  }
}

}  // namespace
}  // namespace bursar::base
