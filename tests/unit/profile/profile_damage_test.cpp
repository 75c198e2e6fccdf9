// decode() trusts nothing: files cut short, changed, from the future, or made to do harm.
#include <gtest/gtest.h>
#include <zstd.h>

#include <functional>
#include <random>

#include "allocation_count.h"
#include "forged_profile.h"
#include "profile/freeze.h"
#include "profile/profile_file.h"
#include "profile/section_writer.h"
#include "random_profile.h"

namespace bursar::profile {
namespace {

FileBytes small_file() {
  RandomProfileOptions options;
  options.contexts = 12;
  options.methods = 4;
  options.edges = 3;
  options.paths = 3;
  options.branches = 3;
  options.identity.call_sites = true;
  options.metrics = {{kCalls, "", MetricKind::kEstimate, 4}};
  return encode(RandomProfile(3, options).profile());
}

std::string refusal_of(const FileBytes& bytes) {
  const std::size_t before = allocated_bytes();
  const base::Result<Profile> profile = decode(bytes);
  EXPECT_LE(allocated_bytes() - before, 4096 * bytes.size() + 65536) << "memory in proportion to the input";
  return profile ? "" : profile.error().message;
}

void expect_refusal(const FileBytes& bytes, const std::string& expected) {
  const std::string why = refusal_of(bytes);
  EXPECT_NE(why.find(expected), std::string::npos) << "expected \"" << expected << "\", got \"" << why << "\"";
}

TEST(ProfileDamage, is_noticed_at_every_length) {
  const FileBytes file = small_file();
  ASSERT_EQ(refusal_of(file), "");
  for (std::size_t length = 0; length < file.size(); ++length) {
    const std::string why = refusal_of(FileBytes(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(length)));
    EXPECT_NE(why.find(length == 0 ? "empty" : "cut short"), std::string::npos) << length << ": " << why;
  }
}

TEST(ProfileDamage, is_noticed_in_every_byte) {
  const FileBytes file = small_file();
  for (std::size_t at = 0; at < file.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      FileBytes damaged = file;
      damaged[at] = static_cast<std::uint8_t>(damaged[at] ^ flip);
      EXPECT_NE(refusal_of(damaged), "") << "byte " << at << " ^ " << flip;
    }
  }
}

TEST(ProfileDamage, names_the_section_and_the_offset) {
  FileBytes file = small_file();
  file.back() ^= 1U;
  expect_refusal(file, "section SERS is damaged: the checksum of its");
  file = small_file();
  file[30] ^= 1U;
  expect_refusal(file, "the header is damaged: the checksum at offset");
}

TEST(ProfileDamage, is_noticed_in_bytes_after_the_end) {
  FileBytes file = small_file();
  const std::size_t size = file.size();
  file.resize(size + 3);
  expect_refusal(file, "3 bytes too many from offset " + std::to_string(size) + " on");
}

TEST(ProfileDamage, is_told_from_other_files) {
  const std::string_view text = "main;f 1\n";
  expect_refusal(FileBytes(text.begin(), text.end()), "this is not a Bursar profile");
  expect_refusal({0x89, 'P', 'N', 'G'}, "this is not a Bursar profile");
}

TEST(ProfileVersion, of_the_next_format_is_refused_with_advice) {
  expect_refusal(forge_file(take_apart(small_file()), 2, 0),
                 "written by a newer Bursar (format 2.0); this one reads up to 1.x: update bursar");
  expect_refusal(forge_file(take_apart(small_file()), 0, 9), "there is no format 0.9");
}

TEST(ProfileVersion, of_a_later_minor_format_is_read_without_its_optional_sections) {
  std::vector<ForgedSection> sections = take_apart(small_file());
  sections.insert(sections.begin() + 2, {"NEW1", kOptionalSection, {1, 2, 3}});
  const FileBytes file = forge_file(sections, kMajorVersion, kMinorVersion + 1);
  ASSERT_EQ(refusal_of(file), "");
  EXPECT_TRUE(decode(file).value() == decode(small_file()).value());

  sections[2].flags = 0;
  expect_refusal(forge_file(sections), "section NEW1 is needed to read the profile");
  sections[2].flags = 2;
  expect_refusal(forge_file(sections), "section NEW1 has flags that this version does not know");
}

TEST(ProfileDirectory, must_be_complete_and_in_order) {
  std::vector<ForgedSection> sections = take_apart(small_file());
  std::swap(sections[2], sections[3]);
  expect_refusal(forge_file(sections), "section METH is there twice or out of order");
  sections = take_apart(small_file());
  sections.insert(sections.begin(), sections[0]);
  expect_refusal(forge_file(sections), "section META is there twice or out of order");
  sections = take_apart(small_file());
  sections.erase(sections.begin());
  expect_refusal(forge_file(sections), "no section META");
  expect_refusal(forge_file({}), "no section META");
}

TEST(ProfileDirectory, must_leave_no_gap) {
  FileBytes file = small_file();
  const std::uint64_t length = base::ByteReader(file, kHeaderSize + 16).u8_le();
  put_u8_le(file, kHeaderSize + 16, length - 1);
  const std::size_t sum = kHeaderSize + kDirectoryEntrySize * base::ByteReader(file, 12).u4_le();
  put_u8_le(file, sum, checksum(std::span(file).first(sum)));
  expect_refusal(file, "section METR should start at offset");
  put_u8_le(file, kHeaderSize + 16, ~std::uint64_t{0});
  put_u8_le(file, sum, checksum(std::span(file).first(sum)));
  expect_refusal(file, "section META should start at offset");
}

TEST(ProfileDirectory, of_a_huge_number_of_sections_is_refused) {
  FileBytes file = small_file();
  for (std::size_t i = 12; i < 16; ++i) file[i] = 0xff;
  expect_refusal(file, "inside its directory of 4294967295 sections");
}

// An empty META and one section whose bytes `fill` puts there.
FileBytes with_section(std::string_view tag, const std::function<void(base::ByteWriter&)>& fill) {
  std::vector<ForgedSection> sections = {take_apart(encode(Profile())).front()};
  base::ByteWriter bytes;
  fill(bytes);
  sections.push_back({tag, 0, bytes.take()});
  return forge_file(sections);
}

void column(base::ByteWriter& out, Codec codec, std::uint64_t raw_size, std::span<const std::uint8_t> stored) {
  out.u1(static_cast<std::uint32_t>(codec));
  out.varint(raw_size);
  out.varint(stored.size());
  out.append(stored);
}

TEST(HostileProfile, cannot_claim_more_rows_than_it_has_bytes) {
  expect_refusal(with_section("METH", [](auto& out) { out.varint(4'000'000'000); }),
                 "methods is 4000000000, more than");
  expect_refusal(with_section("METH", [](auto& out) { out.varint(~std::uint64_t{0}); }), "more than 0 bytes can hold");
  expect_refusal(with_section("METH", [](auto& out) { out.varint(1); }), "column class runs past the end");
}

TEST(HostileProfile, cannot_claim_a_column_of_another_size_than_its_rows) {
  const auto contexts = [](std::uint64_t rows, std::uint64_t raw_size, const FileBytes& stored) {
    return with_section("CTXT", [&](base::ByteWriter& out) {
      out.varint(rows);
      column(out, raw_size == stored.size() ? Codec::kStored : Codec::kZstd, raw_size, stored);
    });
  };
  expect_refusal(contexts(3, 2, {0, 0}), "column steps up has 2 raw bytes, but its rows need 3 to 15");
  expect_refusal(contexts(3, 16, FileBytes(16)), "rows need 3 to 15");
  expect_refusal(contexts(3, 4, {0, 0, 0, 0}), "1 bytes after its last row");
  expect_refusal(contexts(3, 3, {0, 0, 0x80}), "row 2 is cut off");
  expect_refusal(contexts(1, 5, {0xff, 0xff, 0xff, 0xff, 0x10}), "row 0 is cut off or too large");
  expect_refusal(contexts(1, 1, {1}), "context 0 lies above the roots");
  expect_refusal(contexts(65, 65, FileBytes(1)), "claims to grow from 1 to 65 bytes");
  expect_refusal(contexts(64, 64, FileBytes(1)), "does not decompress to 64 bytes");
  // Enough bytes after the column for the count to be believed.
  expect_refusal(with_section("CTXT",
                              [](base::ByteWriter& out) {
                                out.varint(1000);
                                column(out, Codec::kZstd, 1000, FileBytes(1));
                                out.append(FileBytes(100));
                              }),
                 "claims to grow from 1 to 1000 bytes");
}

TEST(HostileProfile, cannot_blow_up_by_compression) {
  const FileBytes zeros(std::size_t{64} << 20);
  FileBytes bomb(ZSTD_compressBound(zeros.size()));
  bomb.resize(ZSTD_compress(bomb.data(), bomb.size(), zeros.data(), zeros.size(), 3));
  const auto contexts = [&](std::uint64_t claimed) {
    return with_section("CTXT", [&](base::ByteWriter& out) {
      out.varint(claimed);
      column(out, Codec::kZstd, claimed, bomb);
    });
  };
  expect_refusal(contexts(zeros.size()), "more than");
  expect_refusal(contexts(bomb.size() * kMaxRatio), "does not decompress to");
}

TEST(HostileProfile, cannot_use_an_unknown_codec) {
  expect_refusal(with_section("CTXT",
                              [](base::ByteWriter& out) {
                                out.varint(1);
                                column(out, static_cast<Codec>(2), 1, FileBytes(1));
                              }),
                 "column steps up has the unknown codec 2");
}

TEST(HostileProfile, cannot_hide_bytes_behind_the_last_column) {
  std::vector<ForgedSection> sections = take_apart(small_file());
  sections[3].bytes.push_back(0);
  expect_refusal(forge_file(sections), "section CTXT is damaged at offset");
  expect_refusal(forge_file(sections), "1 bytes after its last column");
}

TEST(HostileProfile, cannot_have_more_metrics_than_there_may_be) {
  expect_refusal(with_section("METR",
                              [](base::ByteWriter& out) {
                                out.varint(65);
                                column(out, Codec::kStored, 65, FileBytes(65, 1));
                              }),
                 "there are 65 metrics, at most 64 can be");
}

TEST(HostileProfile, cannot_let_sums_overflow) {
  const auto strings = [](base::ByteWriter& out, const std::vector<std::uint64_t>& lengths) {
    base::ByteWriter raw;
    for (const std::uint64_t length : lengths) raw.varint(length);
    column(out, Codec::kStored, raw.size(), raw.view());
  };
  expect_refusal(with_section("METH",
                              [&](base::ByteWriter& out) {
                                out.varint(2);
                                strings(out, {~std::uint64_t{0}, 2});
                              }),
                 "lengths add up to more than 64 bits hold");
  expect_refusal(with_section("EDGE",
                              [&](base::ByteWriter& out) {
                                out.varint(2);
                                strings(out, {0xffffffff, 1});
                              }),
                 "column caller adds up to too much");
}

TEST(HostileProfile, must_be_canonical) {
  std::vector<ForgedSection> sections = take_apart(small_file());
  SectionWriter methods(nullptr);
  const std::string names[] = {"B", "A", "C", "D"};
  methods.number(4);
  for (int column_index = 0; column_index < 3; ++column_index) {
    methods.strings({&names[0], &names[1], &names[2], &names[3]});
  }
  methods.small_numbers({0, 0, 0, 0});
  sections[2].bytes = methods.take();
  expect_refusal(forge_file(sections), "the profile is not in canonical form: method 1 is out of order");
}

// What the fuzzer does, for a moment, in every test run.
TEST(HostileProfile, is_refused_or_sound_whatever_its_bytes_are) {
  std::mt19937_64 random(1);
  const FileBytes original = small_file();
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    FileBytes file = original;
    for (std::uint64_t changes = 1 + random() % 3; changes > 0; --changes) {
      const std::size_t at = kHeaderSize + random() % (file.size() - kHeaderSize);
      file[at] = static_cast<std::uint8_t>(random() % 3 == 0 ? random() : file[at] + random() % 5 - 2);
    }
    reseal(file);
    const std::size_t before = allocated_bytes();
    const base::Result<Profile> profile = decode(file);
    ASSERT_LE(allocated_bytes() - before, 4096 * file.size() + 65536);
    if (!profile) continue;
    ++accepted;
    ASSERT_TRUE(validate(profile->data()).empty());
    ASSERT_TRUE(decode(encode(*profile)).value() == *profile);
  }
  EXPECT_GT(accepted, 100) << "changed counts are still sound profiles";
  EXPECT_LT(accepted, 19'000);
}

}  // namespace
}  // namespace bursar::profile
