#include "cli/files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace {

namespace fs = std::filesystem;
using bursar::cli::check_target;
using bursar::cli::Output;
using bursar::cli::read_text;
using bursar::cli::write_target;

class Files : public testing::Test {
 protected:
  Files() {
    std::string name = (fs::temp_directory_path() / "bursar_files_XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Files() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  void put(const char* name, std::string_view text) const { std::ofstream(path(name)) << text; }
  std::string content(const char* name) const {
    std::ostringstream text;
    text << std::ifstream(path(name)).rdbuf();
    return text.str();
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

void hello(Output& out) {
  out.write("hello\n");
}

TEST_F(Files, a_new_file_is_written_and_nothing_else_stays) {
  ASSERT_TRUE(write_target({.path = path("new")}, hello).ok());
  EXPECT_EQ(content("new"), "hello\n");
  EXPECT_EQ(entries(), 1U);
}

TEST_F(Files, an_existing_file_stays_unless_forced) {
  put("old", "old");
  const auto refused = write_target({.path = path("old")}, hello);
  ASSERT_FALSE(refused.ok());
  EXPECT_NE(refused.error().message.find("--force"), std::string::npos);
  EXPECT_EQ(content("old"), "old");
  ASSERT_TRUE(write_target({.path = path("old"), .force = true}, hello).ok());
  EXPECT_EQ(content("old"), "hello\n");
}

TEST_F(Files, an_input_is_never_replaced_whatever_it_is_called) {
  put("input", "precious");
  fs::create_symlink(path("input"), path("alias"));
  fs::create_hard_link(path("input"), path("twin"));
  for (const char* name : {"input", "alias", "twin"}) {
    EXPECT_FALSE(write_target({.path = path(name), .force = true, .inputs = {path("input")}}, hello).ok()) << name;
  }
  EXPECT_EQ(content("input"), "precious");
}

TEST_F(Files, a_file_that_appears_while_we_write_is_not_replaced) {
  const auto refused = write_target({.path = path("raced")}, [this](Output& out) {
    put("raced", "first");
    hello(out);
  });
  EXPECT_FALSE(refused.ok());
  EXPECT_EQ(content("raced"), "first");
  EXPECT_EQ(entries(), 1U) << "no temporary file is left";
}

TEST_F(Files, a_symbolic_link_stays_one) {
  put("real", "old");
  fs::create_symlink(path("real"), path("link"));
  ASSERT_TRUE(write_target({.path = path("link"), .force = true}, hello).ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_EQ(content("real"), "hello\n");
}

TEST_F(Files, devices_are_written_to_and_stay_devices) {
  fs::create_symlink("/dev/null", path("null"));
  EXPECT_TRUE(write_target({.path = path("null")}, hello).ok());
  EXPECT_TRUE(fs::is_character_file(path("null")));
  EXPECT_FALSE(write_target({.path = "/dev/full"}, hello).ok()) << "a full device is an error";
}

TEST_F(Files, a_folder_or_a_missing_folder_is_an_error) {
  EXPECT_FALSE(check_target({.path = folder_.string(), .force = true}).ok());
  EXPECT_FALSE(write_target({.path = path("no/such/folder")}, hello).ok());
}

TEST_F(Files, the_permissions_of_a_new_file_follow_the_umask) {
  const mode_t before = umask(027);
  const bool written = write_target({.path = path("new")}, hello).ok();
  umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(fs::status(path("new")).permissions(), fs::perms(0640));
}

TEST_F(Files, text_is_read_whole) {
  std::string large(1'000'003, 'x');
  put("text", large);
  const auto text = read_text(path("text"));
  ASSERT_TRUE(text.ok());
  EXPECT_EQ(text.value(), large);
  EXPECT_FALSE(read_text(path("missing")).ok());
  EXPECT_FALSE(read_text(folder_.string()).ok());
}

}  // namespace
