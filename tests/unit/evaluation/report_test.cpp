#include "evaluation/report.h"

#include <gtest/gtest.h>

namespace bursar::evaluation {
namespace {

TEST(Report, holds_the_evaluation_as_json_that_cannot_end_the_script) {
  const Json evaluation = {{"notes", {"</script><script>alert(1)", "a \"quote\" and \\"}}, {"bytes", "\xff"}};
  const std::string page = report_page(evaluation);
  EXPECT_EQ(page.find("</script><script>"), std::string::npos);
  const std::string before = "const evaluation = ";
  const std::size_t begin = page.find(before) + before.size();
  const Json back = Json::parse(page.substr(begin, page.find(";\n", begin) - begin));
  EXPECT_EQ(back["notes"], evaluation["notes"]);
}

TEST(Report, needs_nothing_from_anywhere_else) {
  const std::string page = report_page(Json::object());
  EXPECT_EQ(page.find("/*evaluation*/"), std::string::npos);
  for (const char* outside : {"src=", "href=", "@import", "url(", "fetch("}) {
    EXPECT_EQ(page.find(outside), std::string::npos) << outside;
  }
  EXPECT_EQ(page.find("http"), page.find("http://www.w3.org/2000/svg"));
  EXPECT_TRUE(page.ends_with("</html>\n"));
}

}  // namespace
}  // namespace bursar::evaluation
