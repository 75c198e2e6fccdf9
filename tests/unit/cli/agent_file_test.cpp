#include "cli/agent_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using bursar::cli::find_agent;

class AgentFile : public testing::Test {
 protected:
  AgentFile() {
    std::string name = (fs::temp_directory_path() / "bursar_agent_XXXXXX").string();
    root_ = mkdtemp(name.data());
    fs::create_directories(root_ / "bin");
    fs::create_directories(root_ / "lib");
    fs::create_directories(root_ / "a=b");
  }
  ~AgentFile() override { fs::remove_all(root_); }

  std::string put(const char* name) const {
    std::ofstream(root_ / name) << "x";
    return (root_ / name).string();
  }
  std::string found(const char* override = nullptr) const {
    const auto path = find_agent((root_ / "bin").string(), override);
    return path ? *path : "error: " + path.error().message;
  }

  fs::path root_;
};

TEST_F(AgentFile, missing_is_said_with_the_places_that_were_tried) {
  EXPECT_EQ(found(), "error: the agent libbursar.so is neither in " + (root_ / "bin").string() +
                         " nor in ../lib beside it; BURSAR_AGENT can name it");
}

TEST_F(AgentFile, is_found_beside_the_command_before_the_library_folder) {
  const std::string in_lib = put("lib/libbursar.so");
  EXPECT_EQ(found(), in_lib);
  const std::string beside = put("bin/libbursar.so");
  EXPECT_EQ(found(), beside);
  EXPECT_EQ(found(""), beside) << "an empty variable is none";
}

TEST_F(AgentFile, the_variable_wins_and_must_name_a_file) {
  put("bin/libbursar.so");
  const std::string other = put("other.so");
  EXPECT_EQ(found(other.c_str()), other);
  EXPECT_EQ(found("/nowhere/x.so"), "error: cannot read the agent /nowhere/x.so: No such file or directory");
}

TEST_F(AgentFile, a_name_that_a_jvm_would_cut_is_refused) {
  EXPECT_NE(found(put("a=b/x.so").c_str()).find("holds \"=\""), std::string::npos);
}

}  // namespace
