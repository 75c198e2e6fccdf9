#include "export/folded.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <sstream>

#include "profile/freeze.h"

namespace {

using bursar::exports::export_folded;
using bursar::exports::import_folded;
using bursar::profile::kNone;
using bursar::profile::MetricKind;
using bursar::profile::Profile;
using bursar::profile::ProfileData;

std::string exported(const Profile& profile, double min_share = 0) {
  std::string text;
  export_folded({.profile = &profile, .limits = {.min_share_percent = min_share}, .name = "test"},
                [&text](std::string_view piece) {
                  text += piece;
                  return true;
                });
  return text;
}

Profile imported(std::string_view text) {
  auto result = import_folded(text, "calls");
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
  return result.ok() ? std::move(result).value() : Profile();
}

std::string import_error(std::string_view text) {
  const auto result = import_folded(text, "calls");
  return result.ok() ? "no error" : result.error().message;
}

TEST(Folded, writes_one_line_per_context_with_its_own_count) {
  EXPECT_EQ(exported(imported("a.B.main;a.B.f;a.B.g 3\na.B.main 1\n")),
            "a.B.main 1\na.B.main;a.B.f 0\na.B.main;a.B.f;a.B.g 3\n");
}

TEST(Folded, adds_lines_with_the_same_stack_up) {
  EXPECT_EQ(exported(imported("a.A.x 3\na.A.x;a.A.y 1\na/A.x_[j] 4\n")), "a.A.x 7\na.A.x;a.A.y 1\n");
}

TEST(Folded, accepts_crlf_empty_lines_byte_order_marks_and_a_missing_last_newline) {
  EXPECT_EQ(exported(imported("\xef\xbb\xbf"
                              "a.A.x 3\r\n\r\n   \na.A.y\t4  \r\n\n\xef\xbb\xbf"
                              "a.A.z 5")),
            "a.A.x 3\na.A.y 4\na.A.z 5\n");
}

TEST(Folded, keeps_blanks_inside_frames) {
  EXPECT_EQ(exported(imported("a.A.it works;b b 3\n")), "a.A.it works 0\na.A.it works;b b 3\n");
}

TEST(Folded, imports_an_empty_text_as_an_empty_profile) {
  EXPECT_EQ(imported("")->contexts.size(), 0U);
  EXPECT_EQ(imported("\n\n")->methods.size(), 0U);
}

TEST(Folded, imported_profiles_have_no_descriptors_and_one_metric_of_the_right_kind) {
  const Profile calls = imported("a.A.x 1");
  EXPECT_FALSE(calls->identity.descriptors);
  ASSERT_EQ(calls->metrics.size(), 1U);
  EXPECT_EQ(calls->metrics[0].name, "calls");
  EXPECT_EQ(calls->metrics[0].kind, MetricKind::kExact);
  const auto samples = import_folded("a.A.x 1", "samples");
  ASSERT_TRUE(samples.ok());
  EXPECT_EQ(samples.value()->metrics[0].kind, MetricKind::kSamples);
}

TEST(Folded, counts_are_whole_numbers_below_two_to_the_64) {
  EXPECT_EQ(exported(imported("x 18446744073709551615\n")), "x 18446744073709551615\n");
  EXPECT_EQ(exported(imported("x 12.000\n")), "x 12\n");
  EXPECT_NE(import_error("x 18446744073709551616").find("line 1: the count must be below 2^64"), std::string::npos);
  for (const char* text : {"x 1.5", "x -1", "x +1", "x 0x10", "x 1e6", "x 1.", "x many", "x 1,000", "x .0"}) {
    EXPECT_NE(import_error(text).find("expected a whole number"), std::string::npos) << text;
  }
}

TEST(Folded, a_sum_that_overflows_is_an_error_with_its_line) {
  EXPECT_NE(import_error("x 18446744073709551615\ny 1\nx 1\n").find("line 3: the counts of this stack"),
            std::string::npos);
}

TEST(Folded, malformed_lines_are_shown_shortened_and_escaped) {
  EXPECT_NE(import_error("a 1\nb\n").find("line 2: expected frames joined by ';'"), std::string::npos);
  EXPECT_NE(import_error(" 1\n").find("line 1"), std::string::npos);
  for (const char* text : {"a;;b 1", ";a 1", "a; 1", "; 1"}) {
    EXPECT_NE(import_error(text).find("a frame is empty"), std::string::npos) << text;
  }
  const std::string message = import_error(std::string(5000, 'a') + "\x1b[31m nonsense");
  EXPECT_LT(message.size(), 250U);
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
}

TEST(Folded, min_share_leaves_small_subtrees_out_and_says_what) {
  const Profile profile = imported("m 90\nm;a 5\nm;a;b 4\nm;c 1\n");
  std::string text;
  const auto pruned = export_folded({.profile = &profile, .limits = {.min_share_percent = 5}, .name = ""},
                                    [&text](std::string_view piece) {
                                      text += piece;
                                      return true;
                                    });
  EXPECT_EQ(text, "m 90\nm;a 5\nm;a;[left out] 4\nm;[left out] 1\n");
  EXPECT_EQ(pruned.contexts, 2U);
  EXPECT_EQ(pruned.amount, 5U);
}

TEST(Folded, estimates_are_rounded) {
  ProfileData data;
  data.metrics = {{"calls", "calls", MetricKind::kEstimate, 4}};
  data.methods = {{"A", "x", "()V"}, {"A", "y", "()V"}};
  data.contexts.parent = {kNone, 0};
  data.contexts.method = {0, 1};
  data.contexts.site = {bursar::profile::kNoSite, bursar::profile::kNoSite};
  data.contexts.columns = {{{23, 24}, {0, 0}}};
  data.edges.columns = {{}};
  const auto profile = bursar::profile::freeze(data);
  ASSERT_TRUE(profile.ok()) << profile.error().message;
  EXPECT_EQ(exported(profile.value()), "A.x 1\nA.x;A.y 2\n");
}

TEST(Folded, stops_when_the_sink_refuses) {
  const Profile profile = imported("a 1\nb 1\nc 1\n");
  int lines = 0;
  export_folded({.profile = &profile, .limits = {}, .name = ""}, [&lines](std::string_view) { return ++lines < 2; });
  EXPECT_EQ(lines, 2);
}

TEST(Folded, a_stack_of_a_hundred_thousand_frames_is_no_problem) {
  std::string text = "a.A.f";
  for (int i = 1; i < 100'000; ++i) text += ";a.A.f";
  const Profile profile = imported(text + " 7\n");
  EXPECT_EQ(profile->contexts.size(), 100'000U);
  std::size_t lines = 0;
  std::string last;
  export_folded({.profile = &profile, .limits = {}, .name = ""}, [&](std::string_view piece) {
    if (++lines == 100'000) last = piece;
    return true;
  });
  EXPECT_EQ(lines, 100'000U);
  EXPECT_EQ(last, text + " 7\n");
}

// The oracle: sums by stack, kept as text.
std::map<std::string, std::uint64_t> sums_of(const std::string& text) {
  std::map<std::string, std::uint64_t> sums;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t blank = line.rfind(' ');
    const std::string stack = line.substr(0, blank);
    for (std::size_t end = stack.find(';'); end != stack.npos; end = stack.find(';', end + 1))
      sums[stack.substr(0, end)];
    sums[stack] += std::stoull(line.substr(blank + 1));
  }
  return sums;
}

std::string random_folded(std::mt19937& random) {
  std::string text;
  std::vector<std::string> stacks = {"r"};
  for (std::size_t line = random() % 40; line-- > 0;) {
    std::string stack = stacks[random() % stacks.size()];
    if (random() % 8 == 0) stack = "p.Root" + std::to_string(random() % 3) + ".run";
    for (std::size_t frame = random() % 4; frame-- > 0;) {
      stack += ";p.C" + std::to_string(random() % 3) + ".m" + std::to_string(random() % 3);
    }
    stacks.push_back(stack);
    text += stack + " " + std::to_string(random() % 100) + "\n";
  }
  return text;
}

TEST(Folded, export_of_an_import_has_the_sums_of_its_lines) {
  std::mt19937 random(4);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = random_folded(random);
    const std::string again = exported(imported(text));
    ASSERT_EQ(sums_of(again), sums_of(text)) << text;
    ASSERT_EQ(static_cast<std::size_t>(std::count(again.begin(), again.end(), '\n')), sums_of(text).size());
  }
}

TEST(Folded, import_of_an_export_is_the_same_profile) {
  std::mt19937 random(5);
  for (int i = 0; i < 3000; ++i) {
    const Profile profile = imported(random_folded(random));
    ASSERT_EQ(imported(exported(profile)), profile);
  }
}

}  // namespace
