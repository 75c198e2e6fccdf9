#include "cli/temporary_file.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cli/files.h"

namespace {

using bursar::cli::read_text;
using bursar::cli::TemporaryFile;

TEST(TemporaryFile, is_there_while_it_lives) {
  std::string path;
  {
    auto file = TemporaryFile::create("status");
    ASSERT_TRUE(file.ok());
    path = file->path();
    EXPECT_TRUE(path.starts_with('/'));
    EXPECT_TRUE(std::filesystem::is_empty(path));
    const TemporaryFile moved = std::move(file).value();
    EXPECT_EQ(moved.path(), path);
    EXPECT_TRUE(std::filesystem::exists(path));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TemporaryFile, holds_what_it_was_given) {
  const auto file = TemporaryFile::create("text", "some text");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(read_text(file->path()).value(), "some text");
}

}  // namespace
