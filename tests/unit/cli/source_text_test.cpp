#include "cli/source_text.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace {

using bursar::cli::SourceText;

class SourceTextTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / "bursar-source-text";
    std::filesystem::create_directories(folder_ / "main/a/b");
    std::filesystem::create_directories(folder_ / "test/a");
    write("main/a/b/C.java", "package a.b;\n\n\tclass C {  \r\n" + std::string(500, 'x') + "\n\x1b[31m");
    write("test/a/D.java", "second");
    write("secret", "not to be read");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }
  SourceText sources() const { return SourceText({(folder_ / "main").string(), (folder_ / "test").string()}); }

  std::filesystem::path folder_;
};

TEST_F(SourceTextTest, finds_lines_in_any_of_the_folders) {
  SourceText text = sources();
  EXPECT_EQ(text.line("a/b/C.java", 1), "package a.b;");
  EXPECT_EQ(text.line("a/b/C.java", 2), "");
  EXPECT_EQ(text.line("a/b/C.java", 3), "class C {");
  EXPECT_EQ(text.line("a/D.java", 1), "second");
}

TEST_F(SourceTextTest, what_is_not_there_is_nothing) {
  SourceText text = sources();
  EXPECT_EQ(text.line("a/b/C.java", 0), std::nullopt);
  EXPECT_EQ(text.line("a/b/C.java", 6), std::nullopt);
  EXPECT_EQ(text.line("a/b/E.java", 1), std::nullopt);
  EXPECT_EQ(text.line("a", 1), std::nullopt);
}

TEST_F(SourceTextTest, long_lines_are_cut_and_control_characters_escaped) {
  SourceText text = sources();
  EXPECT_EQ(text.line("a/b/C.java", 4)->size(), 200U);
  EXPECT_EQ(text.line("a/b/C.java", 5), "\\x1b[31m");
}

TEST_F(SourceTextTest, names_do_not_lead_out_of_the_folders) {
  SourceText text = sources();
  EXPECT_EQ(text.line("../secret", 1), std::nullopt);
  EXPECT_EQ(text.line((folder_ / "secret").string(), 1), std::nullopt);
}

}  // namespace
