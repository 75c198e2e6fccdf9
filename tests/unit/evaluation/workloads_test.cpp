#include "evaluation/workloads.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "evaluation/text_file.h"

namespace bursar::evaluation {
namespace {

namespace fs = std::filesystem;

class WorkloadsTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / testing::UnitTest::GetInstance()->current_test_info()->name();
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  void put(const char* name, const char* text) const { ASSERT_TRUE(write_text((folder_ / name).string(), text)); }

  fs::path folder_;
};

TEST_F(WorkloadsTest, lists_names_checksums_and_which_are_real) {
  put("run", "");
  put("workloads.txt",
      "# set | workload | packages | …\n"
      "open | fop | fop | DaCapo fop | lays out | 1 | yes\n"
      "open | javac * | openjdk-17-jdk-headless | SPECjvm98 | compiles | 1 | yes\n"
      "open | call-density-bias | - | CallDensityBias | calls | 1 | yes\n");
  put("checksums.txt", "# ecj=3.32 openjdk-17-jdk-headless=17.0.9 \nfop 00aa\n");
  const auto workloads = Workloads::open(folder_.string() + "/");
  ASSERT_TRUE(workloads);
  EXPECT_EQ(workloads->names(), (std::vector<std::string>{"fop", "javac", "call-density-bias"}));
  EXPECT_EQ(workloads->real(), (std::vector<std::string>{"fop", "javac"}));
  EXPECT_EQ(workloads->find("fop")->checksum, "00aa");
  EXPECT_EQ(workloads->find("javac")->checksum, "");
  EXPECT_EQ(workloads->find("chart"), nullptr);
  EXPECT_EQ(workloads->checksums_jdk(), "17");
  EXPECT_EQ(workloads->slowdown_command(), (folder_.parent_path() / "slowdown").string());
}

TEST_F(WorkloadsTest, a_folder_without_workloads_is_refused_by_name) {
  const auto workloads = Workloads::open(folder_.string());
  ASSERT_FALSE(workloads);
  EXPECT_NE(workloads.error().message.find(folder_.string()), std::string::npos);
}

TEST_F(WorkloadsTest, are_found_two_folders_above_the_command) {
  const fs::path place = folder_ / "bench/workloads";
  fs::create_directories(place);
  ASSERT_TRUE(write_text((place / "workloads.txt").string(), ""));
  EXPECT_EQ(find_workloads((folder_ / "build/release").string()), place.string());
}

TEST(Workloads, those_of_this_project_are_fourteen_real_ones_five_of_them_quick) {
  const auto workloads = Workloads::open("bench/workloads");
  ASSERT_TRUE(workloads);
  EXPECT_EQ(workloads->real().size(), 14U);
  EXPECT_EQ(workloads->quick().size(), 5U);
  for (const Workload& each : workloads->all()) EXPECT_EQ(each.checksum.size(), 16U) << each.name;
}

}  // namespace
}  // namespace bursar::evaluation
