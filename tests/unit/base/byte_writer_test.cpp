#include "base/byte_writer.h"

#include <gtest/gtest.h>

namespace bursar::base {
namespace {

using Vector = std::vector<std::uint8_t>;

TEST(ByteWriter, writes_the_lowest_bytes_in_the_order_asked_for) {
  ByteWriter out;
  out.u1(0x1ff);
  out.u2_be(0x10203);
  out.u4_be(0x04050607);
  out.u2_le(0x0908);
  out.u4_le(0x0d0c0b0a);
  out.u8_le(0x1514131211100f0e);
  EXPECT_EQ(out.take(), (Vector{0xff, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21}));
}

TEST(ByteWriter, writes_varints_as_short_as_they_can_be) {
  ByteWriter out;
  out.varint(0);
  out.varint(127);
  out.varint(128);
  out.varint(300);
  EXPECT_EQ(out.take(), (Vector{0, 127, 0x80, 1, 0xac, 2}));
  ByteWriter largest;
  largest.varint(~std::uint64_t{0});
  EXPECT_EQ(largest.size(), 10U);
}

TEST(ByteWriter, patches_what_was_written) {
  ByteWriter out;
  out.u4_be(0);
  out.append(Vector{9, 9});
  out.patch_u4_be(0, 0x01020304);
  out.patch_u2_be(3, 0x0506);
  EXPECT_EQ(out.take(), (Vector{1, 2, 3, 5, 6, 9}));
}

}  // namespace
}  // namespace bursar::base
