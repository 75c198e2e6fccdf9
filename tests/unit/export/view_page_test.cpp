#include "export/view_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "export/base64.h"
#include "export/folded.h"
#include "export/view_series.h"
#include "profile/freeze.h"
#include "profile/merge.h"

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

bursar::profile::ProfileData paths_data(std::vector<std::uint64_t> counts) {
  bursar::profile::ProfileData data;
  data.methods = {{"a.A$B", "x", "()V"}, {"a.C", "y", "()V"}};
  data.paths.method = {0, 0, 1};
  data.paths.first_block = {0, 2, 4, 5};
  data.paths.blocks = {0, 7, 0, 9, 3};
  data.paths.branches = {2, 1, 1};
  data.paths.count = {std::move(counts), {}};
  data.branches.method = {0, 0};
  data.branches.bci = {4, 4};
  data.branches.outcome = {0, 1};
  data.branches.count = {{5, 15}, {}};
  data.lines.method = {0, 0, 0};
  data.lines.bci = {0, 4, 7};
  data.lines.line = {20, 21, 22};
  return data;
}

Page page_of(ViewRequest request) {
  for (const auto& method : request.profile->data().methods) request.names.push_back({method.class_name, method.name});
  Page page;
  page.pruned = write_view_page(request, kViewer, [&page](std::string_view piece) {
    page.text += piece;
    return true;
  });
  return page;
}

TEST(ViewPage, a_profile_of_paths_has_them_by_flow_with_lines_where_known) {
  const Profile profile = bursar::profile::freeze(paths_data({10, 100, 3})).value();
  ViewRequest request;
  request.profile = &profile;
  request.runs = {{&profile, "run.bursar"}};
  request.source = [](const std::string& file, std::uint32_t line) -> std::optional<std::string> {
    if (line == 22) return std::nullopt;
    return file + ":" + std::to_string(line);
  };
  const nlohmann::json facts = page_of(request).facts();
  EXPECT_EQ(facts["nodes"], 0);
  EXPECT_EQ(facts["methods"].size(), 2U);
  const nlohmann::json& paths = facts["paths"];
  EXPECT_EQ(paths["kind"], "exact");
  EXPECT_EQ(paths["runs"], (nlohmann::json{113}));
  EXPECT_EQ(paths["flow"], (nlohmann::json{123}));
  EXPECT_EQ(paths["rows"], nlohmann::json::parse("[[0,1,[20,-10],100],[0,2,[20,22],10],[1,1,[-4],3]]"));
  EXPECT_EQ(paths["branches"], nlohmann::json::parse("[[0,21,4,[0,5],[1,15]]]"));
  EXPECT_EQ(paths["sources"], nlohmann::json::parse(R"({"0":{"20":"a/A.java:20","21":"a/A.java:21"}})"));
}

TEST(ViewPage, two_profiles_of_paths_are_told_apart) {
  const Profile before = bursar::profile::freeze(paths_data({10, 100, 3})).value();
  bursar::profile::ProfileData other = paths_data({50, 0, 3});
  other.methods[1].name = "z";
  const Profile after = bursar::profile::freeze(std::move(other)).value();
  const Profile both = bursar::profile::merge(before, after).value();
  ViewRequest request;
  request.profile = &both;
  request.runs = {{&before, "before.bursar"}, {&after, "after.bursar"}};
  const nlohmann::json paths = page_of(request).facts()["paths"];
  EXPECT_EQ(paths["runs"], (nlohmann::json{113, 53}));
  EXPECT_EQ(paths["rows"],
            nlohmann::json::parse("[[0,2,[20,22],10,50],[0,1,[20,-10],100,0],[1,1,[-4],3,0],[2,1,[-4],0,3]]"));
  EXPECT_EQ(paths["branches"], nlohmann::json::parse("[[0,21,4,[0,5,5],[1,15,15]]]"));
}

TEST(ViewPage, what_was_measured_over_time_is_there_by_thread_and_not_too_fine) {
  bursar::profile::ProfileData data;
  data.threads = {{"main", {}, {}}, {"worker", {}, {}}};
  bursar::profile::Series series{.name = "call_density", .unit = "calls", .time_ns = {}, .thread = {}, .value = {}};
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    series.time_ns.push_back(i * 1'000'000ULL);
    series.thread.push_back(i % 100 == 0 ? 1 : 0);
    series.value.push_back(i % 2);
  }
  data.series = {series};
  const Profile profile = bursar::profile::freeze(std::move(data)).value();
  const nlohmann::json all = nlohmann::json(bursar::exports::series_json(profile.data()));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0]["thread"], "");
  EXPECT_EQ(all[0]["points"].size(), 120U);
  EXPECT_EQ(all[0]["points"][0], (nlohmann::json{0.042, 0.0, 1.0, 1.0}));
  EXPECT_EQ(all[1]["thread"], "main");
  EXPECT_EQ(all[2]["thread"], "worker");
  EXPECT_EQ(all[2]["points"].size(), 100U);
  EXPECT_EQ(all[2]["points"][3], (nlohmann::json{0.3, 0.0, 0.0, 0.0}));
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
