#include "evaluation/results_file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "evaluation/text_file.h"

namespace bursar::evaluation {
namespace {

const Json kSettings = {{"iterations", 20}, {"modes", {"exact"}}};

Json run(unsigned number) {
  return {{"workload", "fop"}, {"profiler", "exact"}, {"run", number}, {"failure", nullptr}};
}

class ResultsFileTest : public testing::Test {
 protected:
  void SetUp() override {
    path_ = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".jsonl";
    std::filesystem::remove(path_);
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void write(std::initializer_list<unsigned> runs) const {
    auto file = ResultsFile::open(path_, kSettings);
    ASSERT_TRUE(file) << file.error().message;
    for (const unsigned number : runs) ASSERT_TRUE(file->append(run(number)));
  }
  std::vector<Json> rows() const {
    const auto file = ResultsFile::open(path_, kSettings);
    return file ? file->rows() : std::vector<Json>{};
  }
  std::string refusal(const Json& settings = kSettings) const {
    const std::string before = *read_text(path_);
    const auto file = ResultsFile::open(path_, settings);
    EXPECT_FALSE(file);
    EXPECT_EQ(*read_text(path_), before) << "a refused file must not change";
    return file ? "" : file.error().message;
  }

  std::string path_;
};

TEST_F(ResultsFileTest, goes_on_where_it_stopped) {
  write({1, 2});
  write({3});
  EXPECT_EQ(rows(), (std::vector<Json>{run(1), run(2), run(3)}));
}

TEST_F(ResultsFileTest, every_cut_of_the_last_line_is_cut_off) {
  write({1, 2});
  const std::string whole = *read_text(path_);
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t cut = last; cut < whole.size(); ++cut) {
    ASSERT_TRUE(write_text(path_, whole.substr(0, cut)));
    write({2});
    EXPECT_EQ(*read_text(path_), whole) << cut;
  }
}

TEST_F(ResultsFileTest, other_settings_are_refused_by_name) {
  write({1});
  const std::string message = refusal({{"iterations", 10}, {"jdk", "17"}});
  EXPECT_NE(message.find("iterations: 20 in the file, 10 now"), std::string::npos) << message;
  EXPECT_NE(message.find("modes: [\"exact\"] in the file, nothing now"), std::string::npos) << message;
  EXPECT_NE(message.find("jdk: nothing in the file, \"17\" now"), std::string::npos) << message;
  EXPECT_NE(message.find("another --out"), std::string::npos) << message;
}

TEST_F(ResultsFileTest, damage_is_refused_with_its_line) {
  write({1, 2});
  const std::string whole = *read_text(path_);
  const std::size_t second = whole.find('\n') + 1;
  for (const char* damage : {"{", "[]\n", "{}\n", "{\"workload\":1}\n"}) {
    ASSERT_TRUE(write_text(path_, whole.substr(0, second) + damage + whole.substr(second)));
    EXPECT_NE(refusal().find("line 2"), std::string::npos) << damage;
  }
  ASSERT_TRUE(write_text(path_, whole.substr(second)));
  EXPECT_NE(refusal().find("line 1"), std::string::npos);
}

TEST_F(ResultsFileTest, has_one_writer_at_a_time) {
  const auto first = ResultsFile::open(path_, kSettings);
  ASSERT_TRUE(first);
  EXPECT_NE(refusal().find("another bursar evaluate"), std::string::npos);
}

TEST_F(ResultsFileTest, a_full_disk_is_said_and_leaves_no_part_of_a_row) {
  write({1});
  const std::string before = *read_text(path_);
  auto file = ResultsFile::open(path_, kSettings);
  ASSERT_TRUE(file);
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const rlimit small{.rlim_cur = before.size() + 10, .rlim_max = limit.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const base::Status written = file->append(run(2));
  setrlimit(RLIMIT_FSIZE, &limit);
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().message.find("cannot write"), std::string::npos);
  EXPECT_EQ(*read_text(path_), before);
  EXPECT_EQ(file->rows().size(), 1U);
}

}  // namespace
}  // namespace bursar::evaluation
