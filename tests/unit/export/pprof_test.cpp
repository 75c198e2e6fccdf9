#include "export/pprof.h"

#include <gtest/gtest.h>

#include <random>

#include "export/folded.h"
#include "export/gzip.h"
#include "export/protobuf.h"

namespace {

using bursar::exports::export_folded;
using bursar::exports::export_pprof;
using bursar::exports::import_folded;
using bursar::exports::import_pprof;
using bursar::exports::MessageReader;
using bursar::exports::MessageWriter;
using bursar::exports::read_gzip;
using bursar::exports::write_gzip;
using bursar::profile::Profile;

template <class Export>
std::string exported(Export format, const Profile& profile) {
  std::string bytes;
  format({.profile = &profile, .limits = {}, .name = "test"}, [&bytes](std::string_view piece) {
    bytes += piece;
    return true;
  });
  return bytes;
}

std::string unpacked(const Profile& profile) {
  return read_gzip(exported(export_pprof, profile), 1 << 20).value();
}

std::string pprof_error(std::string_view bytes) {
  const auto result = import_pprof(bytes);
  return result.ok() ? "no error" : result.error().message;
}

TEST(Pprof, comes_back_as_it_was) {
  const Profile profile =
      import_folded("a.A.x 90\na.A.x;a.B.y 7\na.A.x;a.B.y;native_thing 3\n[vm];a.A.x 5\nb.C.d;b.C.d;b.C.d 2\n", "calls")
          .value();
  const Profile back = import_pprof(exported(export_pprof, profile)).value();
  EXPECT_EQ(back->methods, profile->methods);
  EXPECT_EQ(exported(export_folded, back), exported(export_folded, profile));
  EXPECT_EQ(back->metrics[0].name, "calls");
  EXPECT_EQ(back->metrics[0].kind, bursar::profile::MetricKind::kExact);
}

TEST(Pprof, random_profiles_come_back_with_the_same_stacks) {
  std::mt19937 random(7);
  for (int round = 0; round < 30; ++round) {
    std::string text;
    for (int line = 0; line < 40; ++line) {
      for (unsigned depth = random() % 8; depth > 0; --depth) text += "p.C" + std::to_string(random() % 5) + ".m;";
      text += "p.C" + std::to_string(random() % 5) + ".m " + std::to_string(random() % 1000 + 1) + "\n";
    }
    const Profile profile = import_folded(text, "samples").value();
    const Profile back = import_pprof(unpacked(profile)).value();
    ASSERT_EQ(exported(export_folded, back), exported(export_folded, profile));
  }
}

TEST(Pprof, inlined_functions_of_a_location_are_frames_too) {
  MessageWriter out, type, inner, line;
  for (const char* text : {"", "samples", "count", "leaf", "caller", "root"}) out.block(6, text);
  type.number(1, 1);
  type.number(2, 2);
  out.block(1, type.bytes());
  for (unsigned id = 1; id <= 3; ++id) {
    inner.clear();
    inner.number(1, id);
    inner.number(2, id + 2);
    out.block(5, inner.bytes());
  }
  inner.clear();
  inner.number(1, 10);
  for (const unsigned function : {1U, 2U}) {
    line.clear();
    line.number(1, function);
    inner.block(4, line.bytes());
  }
  out.block(4, inner.bytes());
  inner.clear();
  line.clear();
  line.number(1, 3);
  inner.number(1, 11);
  inner.block(4, line.bytes());
  out.block(4, inner.bytes());
  inner.clear();
  inner.number(1, 10);  // not packed
  inner.number(1, 11);
  inner.number(2, 42);
  out.block(2, inner.bytes());
  const Profile profile = import_pprof(out.bytes()).value();
  EXPECT_EQ(exported(export_folded, profile), "root 0\nroot;caller 0\nroot;caller;leaf 42\n");
  EXPECT_EQ(profile->metrics[0].kind, bursar::profile::MetricKind::kSamples);
}

TEST(Pprof, refuses_what_is_damaged) {
  const std::string good = unpacked(import_folded("a;b 3\n", "calls").value());
  EXPECT_NE(pprof_error("").find("no pprof file"), std::string::npos);
  EXPECT_NE(pprof_error("hello, world").find("no pprof file"), std::string::npos);
  EXPECT_NE(pprof_error("\x1f\x8b nothing").find("damaged"), std::string::npos);
  for (std::size_t size = 1; size < good.size(); ++size) (void)import_pprof(std::string_view(good).substr(0, size));
  MessageWriter sample, more;
  sample.number(1, 99);
  sample.number(2, 1);
  more.block(2, sample.bytes());
  EXPECT_EQ(pprof_error(good + more.bytes()), "sample 2 names location 99, which is not there");
  sample.number(2, 1);
  more.clear();
  more.block(2, sample.bytes());
  EXPECT_EQ(pprof_error(good + more.bytes()), "sample 2 has 2 values, but there are 1 sample types");
  sample.clear();
  sample.number(1, 1);
  sample.number(2, ~std::uint64_t{0});
  more.clear();
  more.block(2, sample.bytes());
  EXPECT_NE(pprof_error(good + more.bytes()).find("negative"), std::string::npos);
}

TEST(Gzip, comes_back_and_has_a_limit) {
  std::string text;
  for (std::uint64_t i = 0; i < 100'000; ++i) text += std::to_string(i * i);
  std::string packed;
  EXPECT_TRUE(write_gzip(text, [&packed](std::string_view piece) { return packed.append(piece), true; }));
  EXPECT_EQ(read_gzip(packed, text.size()).value(), text);
  EXPECT_FALSE(read_gzip(packed, text.size() - 1).ok());
  EXPECT_FALSE(read_gzip(packed.substr(0, packed.size() / 2), 1 << 30).ok());
  EXPECT_FALSE(write_gzip(text, [](std::string_view) { return false; }));
}

TEST(MessageReader, skips_fields_it_does_not_know_and_stops_at_damage) {
  MessageWriter out;
  out.number(1, 300);
  std::string bytes = out.bytes();
  bytes += std::string("\x11", 1) + "12345678" + "\x1d" + "1234";  // a fixed64 and a fixed32
  out.clear();
  out.block(4, "xyz");
  MessageReader reader(bytes += out.bytes());
  std::vector<unsigned> fields;
  while (reader.next()) fields.push_back(reader.field());
  EXPECT_TRUE(reader.ok());
  EXPECT_EQ(fields, (std::vector<unsigned>{1, 2, 3, 4}));
  MessageReader damaged(std::string_view(bytes).substr(0, bytes.size() - 1));
  while (damaged.next()) {
  }
  EXPECT_FALSE(damaged.ok());
}

}  // namespace
