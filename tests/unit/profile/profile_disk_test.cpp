// write_file() and read_file(): never a part of a file, and errors that say what, where and why.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "profile/freeze.h"
#include "profile/profile_file.h"
#include "random_profile.h"

namespace bursar::profile {
namespace {

namespace fs = std::filesystem;

class ProfileDisk : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "bursar-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ / name; }
  std::size_t files() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }
  static void put(const std::string& path, const std::string& text) { std::ofstream(path, std::ios::binary) << text; }
  static std::string read_refusal(const std::string& path) {
    const base::Result<Profile> profile = read_file(path);
    return profile ? "" : profile.error().message;
  }
  static std::string write_refusal(const std::string& path) {
    const base::Status written = write_file(RandomProfile(1).profile(), path);
    return written ? "" : written.error().message;
  }

  fs::path folder_;
};

TEST_F(ProfileDisk, reads_what_was_written) {
  const Profile profile = RandomProfile(1).profile();
  ASSERT_TRUE(write_file(profile, path("a.bursar")).ok());
  EXPECT_TRUE(read_file(path("a.bursar")).value() == profile);
  EXPECT_EQ(files(), 1U) << "the temporary file is gone";
}

TEST_F(ProfileDisk, replaces_an_older_file) {
  const Profile profile = RandomProfile(2).profile();
  ASSERT_TRUE(write_file(RandomProfile(1).profile(), path("a.bursar")).ok());
  ASSERT_TRUE(write_file(profile, path("a.bursar")).ok());
  EXPECT_TRUE(read_file(path("a.bursar")).value() == profile);
}

TEST_F(ProfileDisk, writes_a_plain_name_into_the_current_folder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const bool written = write_file(Profile(), "here.bursar").ok();
  fs::current_path(before);
  EXPECT_TRUE(written);
  EXPECT_TRUE(read_file(path("here.bursar")).ok());
}

TEST_F(ProfileDisk, lets_the_umask_decide_who_may_read) {
  const mode_t before = ::umask(027);
  const bool written = write_file(Profile(), path("a.bursar")).ok();
  ::umask(before);
  ASSERT_TRUE(written);
  struct stat status = {};
  ASSERT_EQ(::stat(path("a.bursar").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640U);
}

TEST_F(ProfileDisk, follows_a_link_instead_of_replacing_it) {
  put(path("target"), "old");
  fs::create_symlink(path("target"), path("link"));
  ASSERT_TRUE(write_file(RandomProfile(3).profile(), path("link")).ok());
  EXPECT_TRUE(fs::is_symlink(path("link")));
  EXPECT_TRUE(read_file(path("target")).value() == RandomProfile(3).profile());
}

TEST_F(ProfileDisk, keeps_clear_of_temporary_names_that_are_taken) {
  const std::string taken = path("a.bursar") + ".tmp-" + std::to_string(::getpid()) + "-0";
  put(taken, "somebody's");
  ASSERT_TRUE(write_file(Profile(), path("a.bursar")).ok());
  std::string text;
  std::ifstream(taken) >> text;
  EXPECT_EQ(text, "somebody's");
}

TEST_F(ProfileDisk, says_why_it_cannot_write) {
  put(path("file"), "text");
  std::string why = write_refusal(path("file") + "/a.bursar");
  EXPECT_NE(why.find("cannot write the profile to " + path("file") + "/a.bursar"), std::string::npos) << why;
  EXPECT_NE(why.find("Not a directory; check the path"), std::string::npos) << why;
  why = write_refusal(path("missing/a.bursar"));
  EXPECT_NE(why.find("No such file or directory; check the path"), std::string::npos) << why;
  why = write_refusal(folder_);
  EXPECT_NE(why.find("Is a directory"), std::string::npos) << why;
}

TEST_F(ProfileDisk, writes_to_a_device_as_it_is) {
  EXPECT_TRUE(write_file(Profile(), "/dev/null").ok());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  const std::string why = write_refusal("/dev/full");
  EXPECT_NE(why.find("No space left on device; free some space"), std::string::npos) << why;
}

// A limit on the size of files fails like a full disk, in the middle of a write.
TEST_F(ProfileDisk, leaves_the_old_file_alone_when_the_disk_is_full) {
  const Profile old = RandomProfile(1).profile();
  ASSERT_TRUE(write_file(old, path("a.bursar")).ok());
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {1000, 1000};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(3);
    RandomProfileOptions options;
    options.contexts = 20'000;
    const base::Status written = write_file(RandomProfile(2, options).profile(), path("a.bursar"));
    if (written.ok()) ::_exit(1);
    ::_exit(written.error().message.find("File too large; free some space") != std::string::npos ? 0 : 2);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_TRUE(read_file(path("a.bursar")).value() == old);
  EXPECT_EQ(files(), 1U) << "the temporary file is gone";
}

TEST_F(ProfileDisk, says_why_it_cannot_read) {
  std::string why = read_refusal(path("missing"));
  EXPECT_NE(why.find("cannot read " + path("missing") + ": No such file"), std::string::npos) << why;
  why = read_refusal(folder_);
  EXPECT_NE(why.find("it is a folder"), std::string::npos) << why;
  put(path("empty"), "");
  why = read_refusal(path("empty"));
  EXPECT_NE(why.find("the file is empty"), std::string::npos) << why;
  put(path("text"), "main;f;g 12\n");
  why = read_refusal(path("text"));
  EXPECT_NE(why.find("this is not a Bursar profile"), std::string::npos) << why;
}

TEST_F(ProfileDisk, does_not_read_a_large_file_that_is_no_profile) {
  put(path("large"), "text");
  fs::resize_file(path("large"), std::uintmax_t{1} << 36);
  const std::string why = read_refusal(path("large"));
  EXPECT_NE(why.find("this is not a Bursar profile"), std::string::npos) << why;
}

TEST_F(ProfileDisk, reads_from_a_pipe) {
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(write_file(RandomProfile(5).profile(), path("pipe")).ok() ? 0 : 1);
  EXPECT_TRUE(read_file(path("pipe")).value() == RandomProfile(5).profile());
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace bursar::profile
