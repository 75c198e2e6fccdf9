#include "export/flamegraph.h"

#include <gtest/gtest.h>

#include "export/folded.h"

namespace {

using bursar::exports::export_flamegraph;
using bursar::exports::FlamegraphOptions;
using bursar::exports::import_folded;
using bursar::exports::Pruned;

struct Page {
  std::string text;
  Pruned pruned;
};

Page page_of(std::string_view folded, const FlamegraphOptions& options) {
  const auto profile = import_folded(folded, "calls");
  EXPECT_TRUE(profile.ok());
  Page page;
  page.pruned = export_flamegraph(profile.value(), options, [&page](std::string_view piece) {
    page.text += piece;
    return true;
  });
  return page;
}

bool holds(const Page& page, std::string_view text) {
  return page.text.find(text) != std::string::npos;
}

TEST(Flamegraph, holds_depth_name_own_subtree_left_out_and_site_of_every_context) {
  const Page page = page_of("a.A.x 90\na.A.x;a.B.y 7\na.A.x;a.B.y;z 3\n", {.min_share_percent = 0});
  EXPECT_TRUE(holds(page, "\n1,0,90,100,0,-1,\n2,1,7,10,0,-1,\n3,2,3,3,0,-1,"))
      << page.text.substr(page.text.size() / 2);
  EXPECT_TRUE(holds(page, "[\"a.\",\"A.x\",0]"));
  EXPECT_TRUE(holds(page, "[\"\",\"z\",1]"));
  EXPECT_TRUE(holds(page, "total: 100"));
  EXPECT_EQ(page.pruned.contexts, 0U);
}

TEST(Flamegraph, says_what_it_left_out_and_where) {
  const Page page = page_of("m 96\nm;a 1\nm;a;b 1\nm;c 1\nq 1\n", {.min_share_percent = 3});
  EXPECT_EQ(page.pruned.contexts, 4U);
  EXPECT_EQ(page.pruned.amount, 4U);
  EXPECT_TRUE(holds(page, "\n1,0,96,99,3,-1,"));
  EXPECT_TRUE(holds(page, "leftOut: {contexts: 4, amount: 4, roots: 1}"));
}

TEST(Flamegraph, names_cannot_break_out_of_the_page) {
  const Page page = page_of("</script><b>\"\\ 1\n", {.min_share_percent = 0, .title = "<i>&\"</i></title>"});
  EXPECT_FALSE(holds(page, "</script><b>"));
  EXPECT_TRUE(holds(page, "\\u003c/script>\\u003cb>\\u0022\\u005c"));
  EXPECT_TRUE(holds(page, "<title>&lt;i&gt;&amp;&quot;&lt;/i&gt;&lt;/title&gt;</title>"));
}

TEST(Flamegraph, needs_nothing_from_elsewhere) {
  const Page page = page_of("a 1\n", {});
  for (const char* outside : {"http:", "https:", "src=", "<link", "@import", "url(", "fetch("}) {
    EXPECT_FALSE(holds(page, outside)) << outside;
  }
}

TEST(Flamegraph, stops_when_the_sink_refuses) {
  const auto profile = import_folded("a 1\n", "calls");
  ASSERT_TRUE(profile.ok());
  int pieces = 0;
  export_flamegraph(profile.value(), {}, [&pieces](std::string_view) {
    ++pieces;
    return false;
  });
  EXPECT_EQ(pieces, 1);
}

}  // namespace
