#include "export/ccmap_xml.h"

#include <gtest/gtest.h>

#include <random>

#include "core/context_questions.h"
#include "export/ccmap_text.h"
#include "profile/freeze.h"
#include "random_profile.h"

namespace bursar::exports {
namespace {

using core::ContextMap;

std::string text_of(const NamedMap& map) {
  std::string text;
  EXPECT_TRUE(write_ccmap_xml(map, [&](std::string_view piece) {
    text += piece;
    return true;
  }));
  return text;
}

std::string error_of(const std::string& text) {
  const auto read = read_ccmap_xml(text);
  return read.ok() ? "no error" : read.error().message;
}

// The contexts of a profile with one metric, and nothing else.
profile::Profile only_contexts(const profile::Profile& profile, std::size_t metric) {
  profile::ProfileData data;
  data.identity = profile->identity;
  data.metrics = {profile->metrics[metric]};
  data.methods = profile->methods;
  data.contexts = profile->contexts;
  data.contexts.columns = {profile->contexts.columns[metric]};
  data.edges.columns.resize(1);
  data.info["mode"] = {"import"};
  data.info["source"] = {"ccmap-xml"};
  return profile::freeze(std::move(data)).value();
}

TEST(CcmapXml, profiles_come_back_whole) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    profile::RandomProfileOptions options;
    options.identity.call_sites = seed % 2 == 0;
    options.identity.descriptors = seed % 3 != 0;
    options.metrics = {{"calls", "", profile::MetricKind::kExact, 0},
                       {"guesses", "g", profile::MetricKind::kEstimate, 5},
                       {"samples", "", profile::MetricKind::kSamples, 0}};
    const profile::Profile profile = profile::RandomProfile(seed, options).profile();
    for (std::size_t metric = 0; metric < 3; ++metric) {
      const NamedMap map = ccmap_of(profile, metric);
      const std::string text = text_of(map);
      const auto read = read_ccmap_xml(text);
      ASSERT_TRUE(read.ok()) << read.error().message;
      EXPECT_EQ(text_of(*read), text);
      const auto back = profile_of(*read);
      ASSERT_TRUE(back.ok()) << back.error().message;
      EXPECT_EQ(*back, only_contexts(profile, metric));
    }
  }
}

TEST(CcmapXml, maps_of_samples_come_back_with_what_they_lost) {
  std::mt19937 random(1);
  NamedMap named{.map = ContextMap({.shape = ContextMap::Shape::kSubPaths, .max_sub_path = 3, .max_contexts = 40}),
                 .methods = {},
                 .metric = {"samples", "", profile::MetricKind::kSamples, 0},
                 .identity = {.call_sites = true},
                 .variance = {}};
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) named.methods.push_back({"C", name, "()V"});
  for (int i = 0; i < 300; ++i) {
    std::vector<ContextMap::Frame> stack;
    for (std::uint32_t depth = 0; depth < 1 + random() % 6; ++depth) {
      stack.push_back({static_cast<std::uint32_t>(random() % 6), static_cast<std::uint32_t>(random() % 2)});
    }
    named.map.add_sample(stack, random() % 2 == 0);
  }
  ASSERT_GT(named.map.losses().removed_contexts, 0U);
  const auto read = read_ccmap_xml(text_of(named));
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(text_of(*read), text_of(named));
  EXPECT_EQ(read->map.losses().removed_contexts, named.map.losses().removed_contexts);
  for (std::uint32_t a = 0; a < 6; ++a) {
    for (std::uint32_t b = 0; b < 6; ++b) {
      const std::vector<core::ContextQuestions::Step> path = {{a}, {b}, {1}};
      EXPECT_EQ(core::ContextQuestions(read->map).count_of(path), core::ContextQuestions(named.map).count_of(path));
    }
  }
  EXPECT_FALSE(profile_of(*read).ok());
}

TEST(CcmapXml, names_may_hold_anything) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::vector<std::string> names = {all,
                                          "\\x41",
                                          "\\\\",
                                          "<\"&'>",
                                          "é",
                                          "\xed\xa0\x80",
                                          "\xef\xbf\xbf",
                                          "\xf4\x90\x80\x80",
                                          "\xe0\x80\x80",
                                          "\xc0\x80",
                                          "\xf0\x9f\x98\x80",
                                          "\t\n"};
  for (const std::string& name : names) {
    profile::ProfileData data;
    data.metrics = {{"calls", "", profile::MetricKind::kExact, 0}};
    data.methods = {{name, name, name}};
    data.contexts.parent = {profile::kNone};
    data.contexts.method = {0};
    data.contexts.site = {profile::kNoSite};
    data.contexts.columns = {{{7}, {}}};
    const profile::Profile profile = profile::freeze(std::move(data)).value();
    const auto read = read_ccmap_xml(text_of(ccmap_of(profile, 0)));
    ASSERT_TRUE(read.ok()) << read.error().message;
    EXPECT_EQ(read->methods[0].class_name, name);
    EXPECT_EQ(read->methods[0].descriptor, name);
  }
  EXPECT_EQ(name_of_attribute("\\y"), std::nullopt);
  EXPECT_EQ(name_of_attribute("\\x4"), std::nullopt);
  EXPECT_EQ(name_of_attribute("a\\"), std::nullopt);
}

TEST(CcmapXml, numbers_are_written_one_way) {
  EXPECT_EQ(parse_decimal("0", 9), profile::Uint128{0});
  EXPECT_EQ(parse_decimal("9", 9), profile::Uint128{9});
  EXPECT_EQ(parse_decimal("10", 9), std::nullopt);
  for (const char* wrong : {"", "01", "+1", "-1", " 1", "1 ", "0x1", "1e3"}) {
    EXPECT_EQ(parse_decimal(wrong, ~profile::Uint128{0}), std::nullopt) << wrong;
  }
  EXPECT_EQ(decimal(~profile::Uint128{0}), "340282366920938463463374607431768211455");
  EXPECT_EQ(parse_decimal("340282366920938463463374607431768211455", ~profile::Uint128{0}), ~profile::Uint128{0});
  EXPECT_EQ(parse_decimal("340282366920938463463374607431768211456", ~profile::Uint128{0}), std::nullopt);
  EXPECT_EQ(parse_decimal("18446744073709551616", ~std::uint64_t{0}), std::nullopt);
}

// A calls B from bci 4, twice in all.
const std::string kSmall = R"(<?xml version="1.0"?>
<callContextMap version="1" shape="tree" metric="calls" unit="" kind="exact" scale="0" callSites="true"
 descriptors="true" foldedRecursion="false" lostContexts="0" lostCalls="0" removedContexts="0" removedCalls="0">
<method id="0" class="C" name="a" descriptor="()V" kind="java" codeBytes="0" total="1">
<callSite bci="4" total="2">
<callee id="0" method="1" total="2"/>
</callSite>
</method>
<method id="1" class="C" name="b" descriptor="()V" kind="java" codeBytes="0" total="2"/>
<context id="0" method="0" count="1"/>
<callSiteRef context="0" bci="4">
<calleeRef id="1" callee="0" count="2"/>
</callSiteRef>
</callContextMap>
)";

std::string with(const std::string& old, const std::string& now) {
  std::string text = kSmall;
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), now);
}

TEST(CcmapXml, what_is_wrong_is_said_with_its_line) {
  ASSERT_EQ(error_of(kSmall), "no error");
  const std::string root = R"(<context id="0" method="0" count="1"/>)";
  const std::string ref = R"(<calleeRef id="1" callee="0" count="2"/>)";
  const std::string callee = R"(<callee id="0" method="1" total="2"/>)";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "line 1: no element found"},
      {"<profile/>", "line 1: element profile is unknown"},
      {"<method/>", "line 1: element method must be in callContextMap"},
      {with("</method>", ""), "line 9: element method must be in callContextMap"},
      {with(root, "<callContextMap/>"), "line 10: element callContextMap must be the outermost"},
      {with("version=\"1\" s", "version=\"7\" s"), "line 2: version=\"7\"; this program reads version 1"},
      {with("\"tree\"", "\"bush\""), "line 2: shape=\"bush\"; there is tree, sub-paths"},
      {with("\"tree\"", "\"sub-paths\""), "line 2: maxSubPath belongs to a map of sub-paths, and to no other"},
      {with("scale=\"0\"", "scale=\"1\""), "line 2: only an estimate may have a scale other than 0"},
      {with("kind=\"exact\"", "kind=\"estimate\""),
       "line 10: a variance belongs to each count of an estimate, and to no other"},
      {with("callSites=\"true\"", "callSites=\"yes\""), "line 2: callSites=\"yes\"; there is false, true"},
      {with("callSites=\"true\"", "callSites=\"false\""), "line 5: a bci in a map without call sites"},
      {with("id=\"1\" class", "id=\"2\" class"), "line 9: id=\"2\" where 1 comes next"},
      {with("codeBytes=\"0\"", "codeBytes=\"-1\""), "line 4: codeBytes=\"-1\" is not a whole number up to 4294967295"},
      {with("codeBytes=\"0\"", ""), "line 4: element method lacks the attribute codeBytes"},
      {with("codeBytes=\"0\"", "codeBytes=\"0\" size=\"0\""), "line 4: element method has no attribute size"},
      {with("name=\"a\"", "name=\"\\\""), "line 4: name=\"\\\" has a backslash that begins neither \\\\ nor \\xNN"},
      {with("method=\"1\"", "method=\"2\""), "line 6: method=\"2\"; there are 2 methods"},
      {with(callee, callee + R"(<callee id="1" method="1" total="0"/>)"), "line 6: the same call for the second time"},
      {with(callee, ""), "line 7: a callSite that calls nothing"},
      {with("total=\"2\">", "total=\"3\">"), "line 5: total=\"3\", but the callees add up to 2"},
      {with("codeBytes=\"0\" total=\"1\"", "codeBytes=\"0\" total=\"4\""),
       "line 4: total=\"4\", but the contexts of this method add up to 1"},
      {with("count=\"2\"", "count=\"3\""), "line 6: total=\"2\", but the contexts of this call add up to 3"},
      {with(root, root + R"(<context id="1" method="0" count="1"/>)"), "line 10: the same root for the second time"},
      {with(root, R"(<context id="0" method="9" count="1"/>)"), "line 10: method=\"9\"; there are 2 methods"},
      {with("context=\"0\"", "context=\"1\""), "line 11: context=\"1\" does not stand before this"},
      {with("context=\"0\" bci=\"4\"", "context=\"0\" bci=\"5\""),
       "line 11: the method of this context has no such call site"},
      {with("callee=\"0\"", "callee=\"1\""), "line 12: callee=\"1\" is none of this call site"},
      {with(ref, ""), "line 13: a callSiteRef that calls nothing"},
      {with(ref, ref + R"(<calleeRef id="2" callee="0" count="0"/>)"),
       "line 12: the same call in the same context for the second time"},
      {with("</callSiteRef>", R"(</callSiteRef><context id="2" method="1" count="0"/>)"),
       "line 13: a root behind call sites of contexts; roots come before"},
      {with(root, root + R"(<method id="2" class="" name="" descriptor="" kind="java" codeBytes="0" total="0"/>)"),
       "line 10: a method behind contexts; methods come first"},
      {with(root, root + "x"), "line 10: text between elements; this format has none"},
      {with("<callContextMap", "<!DOCTYPE x [<!ENTITY e \"e\">]><callContextMap"),
       "line 2: a DOCTYPE; this format has none"},
      {with("</callContextMap>", ""), "line 15: no element found"},
      {kSmall.substr(0, 500), "line 9: unclosed token"},
  };
  for (const auto& [text, error] : cases) {
    EXPECT_EQ(error_of(text), error) << text;
  }
}

TEST(CcmapXml, samples_below_a_call_that_has_fewer_are_no_profile) {
  std::string text = with("metric=\"calls\"", "metric=\"samples\"");
  text.replace(text.find("kind=\"exact\""), 12, "kind=\"samples\"");
  const auto read = read_ccmap_xml(text);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const auto profile = profile_of(*read);
  ASSERT_FALSE(profile.ok());
  EXPECT_EQ(profile.error().message, "more samples have what C.a calls on the stack than have the method itself");
}

// Whatever is changed in the text: an error, or a map that can be written and read.
TEST(CcmapXml, damaged_text_is_refused_or_read) {
  const profile::Profile profile = profile::RandomProfile(3).profile();
  for (const std::string& whole : {kSmall, text_of(ccmap_of(profile, 0))}) {
    std::mt19937 random(5);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
      std::string text = whole;
      for (auto changes = 1 + random() % 3; changes > 0; --changes) {
        const std::size_t at = random() % text.size();
        const char letters[] = "0123456789\"<>/= aet&\\";
        if (random() % 3 == 0) {
          text.erase(at, 1 + random() % 4);
        } else {
          text[at] = letters[random() % (sizeof(letters) - 1)];
        }
      }
      const auto read = read_ccmap_xml(text);
      refused += read.ok() ? 0 : 1;
      if (!read) continue;
      const auto again = read_ccmap_xml(text_of(*read));
      ASSERT_TRUE(again.ok()) << again.error().message << text;
      EXPECT_EQ(text_of(*again), text_of(*read));
      (void)profile_of(*read).ok();
    }
    EXPECT_GT(refused, 500);
  }
}

TEST(CcmapXml, stops_when_nobody_reads) {
  const profile::Profile profile = profile::RandomProfile(3).profile();
  int pieces = 0;
  EXPECT_FALSE(write_ccmap_xml(ccmap_of(profile, 0), [&](std::string_view) { return ++pieces, false; }));
  EXPECT_EQ(pieces, 1);
}

}  // namespace
}  // namespace bursar::exports
