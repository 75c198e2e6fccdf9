#include "export/lcov.h"

#include <gtest/gtest.h>

#include "export/callgrind.h"
#include "export/method_flow.h"
#include "profile/freeze.h"

namespace {

using bursar::exports::export_callgrind_flow;
using bursar::exports::export_lcov;
using bursar::exports::Exporter;
using bursar::exports::flows_of;
using bursar::exports::source_file_of;
using bursar::profile::Profile;
using bursar::profile::ProfileData;

// for (int i = 0; i < 2; i++) if (odd) …;  entered 10 times, the loop's body ran 20 times, odd 10 of them.
//   0 line 3: i = 0     2 line 3: the header, leaves at 5 to 30   8 line 4: branches at 10 to 20   14 line 5   20 line
//   3
Profile loop() {
  ProfileData data;
  data.methods = {{.class_name = "a.B$C", .name = "m", .descriptor = "()V"}};
  const std::vector<std::vector<std::uint32_t>> paths = {{0, 2}, {2, 8, 14, 20, 2}, {2, 8, 20, 2}, {2, 30}};
  data.paths.first_block = {0};
  for (const auto& path : paths) {
    data.paths.method.push_back(0);
    data.paths.blocks.insert(data.paths.blocks.end(), path.begin(), path.end());
    data.paths.first_block.push_back(data.paths.blocks.size());
  }
  data.paths.branches = {0, 2, 2, 1};
  data.paths.count = {{10, 10, 10, 10}, {}};
  data.branches.method = {0, 0, 0, 0};
  data.branches.bci = {5, 5, 10, 10};
  data.branches.outcome = {0, 1, 0, 1};
  data.branches.count = {{20, 10, 10, 10}, {}};
  data.lines.bci = {0, 2, 5, 8, 10, 14, 20, 30};
  data.lines.line = {3, 3, 3, 4, 4, 5, 3, 7};
  data.lines.method.resize(data.lines.bci.size());
  return bursar::profile::freeze(std::move(data)).value();
}

std::string exported(Exporter format, const Profile& profile) {
  std::string text;
  format({.profile = &profile, .limits = {}, .name = "test"}, [&text](std::string_view piece) {
    text += piece;
    return true;
  });
  return text;
}

TEST(LcovTest, lines_branches_and_methods_have_their_numbers) {
  EXPECT_EQ(exported(export_lcov, loop()),
            "TN:\nSF:a/B.java\nFN:3,a.B$C.m()V\nFNDA:10,a.B$C.m()V\nFNF:1\nFNH:1\n"
            "BRDA:3,0,0,20\nBRDA:3,0,1,10\nBRDA:4,1,0,10\nBRDA:4,1,1,10\nBRF:4\nBRH:4\n"
            "DA:3,30\nDA:4,20\nDA:5,10\nDA:7,10\nLF:4\nLH:4\nend_of_record\n");
}

TEST(LcovTest, a_loop_header_that_a_path_arrives_at_is_counted_once) {
  const auto flows = flows_of(loop().data());
  ASSERT_EQ(flows.size(), 1U);
  EXPECT_EQ(flows[0].entries, 10U);
  EXPECT_EQ(flows[0].blocks.at(2), 30U);
}

TEST(LcovTest, callgrind_has_jumps) {
  const std::string text = exported(export_callgrind_flow, loop());
  EXPECT_NE(text.find("summary: 100\n"), std::string::npos) << text;
  EXPECT_NE(text.find("jcnd=10/30 7\n3\n"), std::string::npos) << text;
  EXPECT_NE(text.find("jcnd=10/20 3\n4\n"), std::string::npos) << text;
}

TEST(LcovTest, a_class_lies_in_the_file_of_its_outermost) {
  EXPECT_EQ(source_file_of({.class_name = "a.b.Outer$Inner$1", .name = "m", .descriptor = ""}), "a/b/Outer.java");
  EXPECT_EQ(source_file_of({.class_name = "Main", .name = "m", .descriptor = ""}), "Main.java");
  EXPECT_EQ(source_file_of({.class_name = "a.$Proxy", .name = "m", .descriptor = ""}), "a/$Proxy.java");
  EXPECT_EQ(source_file_of({.class_name = "", .name = "[vm]", .descriptor = ""}), "");
}

}  // namespace
