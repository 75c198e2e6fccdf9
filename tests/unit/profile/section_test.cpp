// SectionWriter and SectionReader: each kind of column, by itself.
#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "profile/file_layout.h"
#include "profile/section_reader.h"
#include "profile/section_writer.h"

namespace bursar::profile {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Section, gives_back_every_kind_of_column) {
  std::mt19937_64 random(1);
  const ZstdCompressor compressor(ZSTD_createCCtx());
  for (const std::size_t rows : {0UL, 1UL, 7UL, 63UL, 64UL, 5000UL}) {
    std::vector<std::uint32_t> narrow;
    std::vector<std::uint32_t> ids;
    std::vector<std::uint64_t> wide;
    std::vector<Uint128> widest;
    Bytes small;
    std::vector<double> doubles;
    std::vector<std::string> strings;
    std::vector<const std::string*> string_pointers;
    for (std::size_t i = 0; i < rows; ++i) {
      narrow.push_back(static_cast<std::uint32_t>(random() >> (32 + random() % 32)));
      ids.push_back(i % 3 == 0 ? kNone : narrow.back());
      wide.push_back(random() >> (random() % 64));
      widest.push_back((Uint128{random()} << 64 | random()) >> (random() % 128));
      small.push_back(static_cast<std::uint8_t>(random()));
      doubles.push_back(static_cast<double>(random()) / 3.0);
      strings.emplace_back(random() % 20, static_cast<char>('a' + i % 26));
    }
    for (const std::string& text : strings) string_pointers.push_back(&text);

    SectionWriter out(compressor.get());
    out.number(rows);
    out.numbers(narrow);
    out.numbers_or_none(ids);
    out.numbers(wide);
    out.numbers(widest);
    out.small_numbers(small);
    out.doubles(doubles);
    out.strings(string_pointers);
    const Bytes bytes = out.take();

    SectionReader in("TEST", bytes, 0);
    ASSERT_EQ(in.count("rows"), rows);
    EXPECT_EQ(in.numbers32("narrow", rows), narrow);
    EXPECT_EQ(in.numbers_or_none("ids", rows), ids);
    EXPECT_EQ(in.numbers64("wide", rows), wide);
    EXPECT_TRUE(in.numbers128("widest", rows) == widest);
    EXPECT_EQ(in.small_numbers("small", rows), small);
    EXPECT_EQ(in.doubles("doubles", rows), doubles);
    EXPECT_EQ(in.strings("strings", rows), strings);
    EXPECT_TRUE(in.finish()) << in.error();
  }
}

TEST(Section, refuses_numbers_wider_than_their_column) {
  const auto refused = [](const Bytes& raw, auto read) {
    SectionWriter out(nullptr);
    out.small_numbers(raw);
    const Bytes bytes = out.take();
    SectionReader in("TEST", bytes, 0);
    (in.*read)("column", 1);
    return !in.ok();
  };
  Bytes narrow = {0xff, 0xff, 0xff, 0xff, 0x0f};
  EXPECT_FALSE(refused(narrow, &SectionReader::numbers32));
  narrow.back() = 0x10;
  EXPECT_TRUE(refused(narrow, &SectionReader::numbers32));
  Bytes wide(10, 0xff);
  wide.back() = 0x01;
  EXPECT_FALSE(refused(wide, &SectionReader::numbers64));
  wide.back() = 0x02;
  EXPECT_TRUE(refused(wide, &SectionReader::numbers64));
  Bytes widest(19, 0xff);
  widest.back() = 0x03;
  EXPECT_FALSE(refused(widest, &SectionReader::numbers128));
  widest.back() = 0x04;
  EXPECT_TRUE(refused(widest, &SectionReader::numbers128));
}

TEST(Section, never_compresses_a_column_beyond_the_ratio) {
  const ZstdCompressor compressor(ZSTD_createCCtx());
  for (const std::size_t rows : {64UL, 1000UL, 4096UL, 100000UL, 1000000UL}) {
    SectionWriter out(compressor.get());
    out.numbers(std::vector<std::uint64_t>(rows, 0));
    const Bytes bytes = out.take();
    EXPECT_GE(bytes.size() * kMaxRatio, rows);
    EXPECT_LT(bytes.size(), rows / kMaxRatio + 64);
    SectionReader in("TEST", bytes, 0);
    EXPECT_EQ(in.numbers64("zeros", rows), std::vector<std::uint64_t>(rows, 0)) << in.error();
  }
}

TEST(Section, keeps_the_first_error_and_gives_nothing_from_then_on) {
  SectionWriter out(nullptr);
  out.numbers(std::vector<std::uint32_t>{1, 2, 3});
  out.numbers(std::vector<std::uint32_t>{4});
  const Bytes bytes = out.take();
  SectionReader in("TEST", bytes, 1000);
  EXPECT_TRUE(in.numbers32("first", 2).empty());
  const std::string error = in.error();
  EXPECT_EQ(error, "section TEST is damaged at offset 1006: column first: 1 bytes after its last row");
  EXPECT_TRUE(in.numbers32("second", 1).empty());
  EXPECT_EQ(in.number("third"), 0U);
  EXPECT_FALSE(in.finish());
  EXPECT_EQ(in.error(), error);
}

}  // namespace
}  // namespace bursar::profile
