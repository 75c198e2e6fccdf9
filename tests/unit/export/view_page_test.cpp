#include "export/view_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/base64.h"
#include "export/folded.h"

namespace {

using bursar::exports::import_folded;
using bursar::exports::Pruned;
using bursar::exports::ViewRequest;
using bursar::profile::Profile;

constexpr std::string_view kViewer = "<head><title>Bursar</title></head><body><!--profile--></body>";

struct Page {
  std::string text;
  Pruned pruned;

  std::string block(const std::string& id) const {
    const std::string mark = "id=\"" + id + "\">";
    const std::size_t from = text.find(mark) + mark.size();
    return text.substr(from, text.find("</script>", from) - from);
  }
  nlohmann::json facts() const { return nlohmann::json::parse(block("facts")); }
};

Page page_of(std::string_view folded, ViewRequest request = {}) {
  const Profile profile = import_folded(folded, "calls").value();
  request.profile = &profile;
  request.runs = {{&profile, "run.bursar"}};
  for (const auto& method : profile->methods) request.names.push_back({method.class_name, method.name});
  Page page;
  page.pruned = write_view_page(request, kViewer, [&page](std::string_view piece) {
    page.text += piece;
    return true;
  });
  return page;
}

std::string base64(const std::vector<std::uint8_t>& bytes) {
  std::string text;
  bursar::exports::write_base64(bytes, [&text](std::string_view piece) { return text.append(piece), true; });
  return text;
}

TEST(Base64, pads_as_the_standard_has_it) {
  EXPECT_EQ(base64({}), "");
  EXPECT_EQ(base64({'f'}), "Zg==");
  EXPECT_EQ(base64({'f', 'o'}), "Zm8=");
  EXPECT_EQ(base64({'f', 'o', 'o'}), "Zm9v");
  EXPECT_EQ(base64({'f', 'o', 'o', 'b', 'a', 'r'}), "Zm9vYmFy");
  EXPECT_EQ(base64({0xff, 0xfe, 0xfd}), "//79");
}

TEST(Base64, large_input_is_one_text) {
  const std::string text = base64(std::vector<std::uint8_t>(200'000, 0));
  EXPECT_EQ(text.size(), 266'668U);
  EXPECT_EQ(text.find('='), 266'667U);
}

// x, x→y, x→y→z, q: levels 0 0 0 3; methods by use, then by name; own numbers.
TEST(ViewPage, holds_levels_methods_and_numbers_of_every_context) {
  const Page page = page_of("a.A.x 90\na.A.x;a.B.y 7\na.A.x;a.B.y;a.C.z 200\na.D.q 1\n");
  EXPECT_EQ(page.block("columns"), base64({0, 0, 0, 3, 1, 2, 3, 4, 90, 7, 200, 1, 1}));
  const nlohmann::json facts = page.facts();
  EXPECT_EQ(facts["nodes"], 4);
  EXPECT_EQ(facts["methods"][0], (nlohmann::json{"a.A", "x", 0}));
  EXPECT_EQ(facts["metrics"][0]["name"], "calls");
  EXPECT_EQ(facts["runs"][0]["file"], "run.bursar");
}

TEST(ViewPage, often_used_methods_have_short_numbers) {
  const Page page = page_of("a 1\nb;z 1\nc;z 1\n");
  EXPECT_EQ(page.facts()["methods"][0][1], "z");
}

TEST(ViewPage, says_what_it_left_out_and_keeps_its_numbers) {
  ViewRequest request;
  request.limits.max_contexts = 1;
  const Page page = page_of("m 96\nm;a 1\nm;a;b 1\nm;c 1\nq 1\n", request);
  EXPECT_EQ(page.pruned.contexts, 4U);
  EXPECT_EQ(page.facts()["leftOut"], 4);
  // m, its stand-in for 3 contexts, the stand-in of roots for 1.
  EXPECT_EQ(page.block("columns"), base64({0, 0, 2, 1, 0, 0, 3, 1, 96, 3, 1}));
}

TEST(ViewPage, names_cannot_break_out_of_the_page) {
  ViewRequest request;
  request.title = "<i>&</i></title>";
  const Page page = page_of("</script><b>\"\\ 1\n", request);
  EXPECT_EQ(page.text.find("</script><b>"), std::string::npos);
  EXPECT_EQ(page.facts()["methods"][0][1], "</script><b>\"\\");
  EXPECT_NE(page.text.find("<title>&lt;i>&amp;&lt;/i>&lt;/title></title>"), std::string::npos);
}

TEST(ViewPage, stops_when_the_sink_refuses) {
  const Profile profile = import_folded("a 1\n", "calls").value();
  ViewRequest request;
  request.profile = &profile;
  request.names = {{"", "a"}};
  int pieces = 0;
  write_view_page(request, kViewer, [&pieces](std::string_view) {
    ++pieces;
    return false;
  });
  EXPECT_EQ(pieces, 1);
}

}  // namespace
