#include "cli/program_linux.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using bursar::cli::find_program;
using bursar::cli::own_environment;
using bursar::cli::ProgramEnd;
using bursar::cli::run_program;

class Programs : public testing::Test {
 protected:
  Programs() {
    std::string name = (fs::temp_directory_path() / "bursar_program_XXXXXX").string();
    root_ = mkdtemp(name.data());
    fs::create_directories(root_ / "a/tool");  // a folder of the name sought
    fs::create_directories(root_ / "b");
    fs::create_directories(root_ / "c");
    const char* path = std::getenv("PATH");
    path_before_ = path != nullptr ? path : "";
    const std::string ours =
        (root_ / "a").string() + ":" + (root_ / "b").string() + ":/nowhere:" + (root_ / "c").string();
    setenv("PATH", ours.c_str(), 1);
  }
  ~Programs() override {
    setenv("PATH", path_before_.c_str(), 1);
    fs::remove_all(root_);
  }

  std::string put(const char* name, mode_t mode, std::string_view text = "#!/bin/sh\nexit 5\n") const {
    const std::string path = (root_ / name).string();
    std::ofstream(path) << text;
    chmod(path.c_str(), mode);
    return path;
  }

  fs::path root_;
  std::string path_before_;
};

TEST_F(Programs, are_found_along_the_path_as_a_shell_does) {
  EXPECT_EQ(find_program("tool").error, ENOENT);
  const std::string not_executable = put("b/tool", 0644);
  EXPECT_EQ(find_program("tool").error, EACCES);
  EXPECT_EQ(find_program("tool").path, not_executable);
  const std::string tool = put("c/tool", 0755);
  EXPECT_EQ(find_program("tool").error, 0);
  EXPECT_EQ(find_program("tool").path, tool);
  chmod(not_executable.c_str(), 0755);
  EXPECT_EQ(find_program("tool").path, not_executable);
}

TEST_F(Programs, with_a_slash_are_taken_as_they_are) {
  const std::string tool = put("c/tool", 0755);
  EXPECT_EQ(find_program(tool).path, tool);
  EXPECT_EQ(find_program(tool).error, 0);
  EXPECT_EQ(find_program("./tool").error, ENOENT);
  EXPECT_EQ(find_program((root_ / "a/tool").string()).error, EISDIR);
  EXPECT_EQ(find_program(tool + "/x").error, ENOTDIR);
  EXPECT_EQ(find_program("").error, ENOENT);
}

TEST_F(Programs, end_with_a_status_or_a_signal) {
  const ProgramEnd exited = run_program("/bin/sh", {"sh", "-c", "exit 7"}, {});
  EXPECT_EQ(exited.start_error, 0);
  EXPECT_EQ(exited.exit_status, 7);
  EXPECT_EQ(exited.signal, 0);
  const ProgramEnd killed = run_program("/bin/sh", {"sh", "-c", "kill -9 $$"}, {});
  EXPECT_EQ(killed.signal, SIGKILL);
}

TEST_F(Programs, that_cannot_start_say_why) {
  EXPECT_EQ(run_program("/nowhere/x", {"x"}, {}).start_error, ENOENT);
  EXPECT_EQ(run_program(put("c/tool", 0755, "#!/nowhere/sh\n"), {"tool"}, {}).start_error, ENOENT);
}

TEST_F(Programs, without_a_first_line_are_scripts_for_the_shell) {
  const std::string script = put("c/tool", 0755, "exit $(($1 + $#))\n");
  EXPECT_EQ(run_program(script, {"tool", "40", ""}, {}).exit_status, 42);
}

TEST_F(Programs, get_the_arguments_and_the_environment_they_are_given) {
  const std::string test = "test \"$1\" = 'a b' && test $# = 3 && test -z \"$2\" && test \"$X\" = 'y z' && exit 9";
  EXPECT_EQ(run_program("/bin/sh", {"sh", "-c", test, "sh", "a b", "", "c"}, {"X=y z"}).exit_status, 9);
}

TEST_F(Programs, end_with_their_status_even_if_we_were_started_with_sigchld_ignored) {
  std::signal(SIGCHLD, SIG_IGN);
  EXPECT_EQ(run_program("/bin/sh", {"sh", "-c", "exit 7"}, {}).exit_status, 7);
  std::signal(SIGCHLD, SIG_DFL);
}

TEST_F(Programs, get_our_environment) {
  setenv("BURSAR_TEST_VARIABLE", "1=2", 1);
  const auto environment = own_environment();
  EXPECT_NE(std::find(environment.begin(), environment.end(), "BURSAR_TEST_VARIABLE=1=2"), environment.end());
  unsetenv("BURSAR_TEST_VARIABLE");
}

}  // namespace
