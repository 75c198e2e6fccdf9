#include "cli/java_release.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace {

namespace fs = std::filesystem;
using bursar::cli::check_java;
using bursar::cli::JavaRelease;
using bursar::cli::parse_release;
using bursar::cli::unsupported;

TEST(JavaRelease, reads_what_it_needs) {
  const JavaRelease release = parse_release(
      "IMPLEMENTOR=\"Eclipse Adoptium\"\r\nJAVA_VERSION=\"25.0.3\"\nnonsense\nMODULES=\"java.base a=b\"\n"
      "JVM_VARIANT=\"Hotspot\"");
  EXPECT_EQ(release.version, "25.0.3");
  EXPECT_EQ(release.vendor, "Eclipse Adoptium");
  EXPECT_EQ(release.variant, "Hotspot");
  EXPECT_EQ(parse_release("").version, "");
  EXPECT_EQ(parse_release("JAVA_VERSION=17\n").version, "17");
}

TEST(JavaRelease, knows_old_and_new_version_numbers) {
  const auto major = [](const char* version) {
    return JavaRelease{.version = version, .vendor = "", .variant = ""}.major();
  };
  EXPECT_EQ(major("17.0.9"), 17);
  EXPECT_EQ(major("25"), 25);
  EXPECT_EQ(major("26-ea"), 26);
  EXPECT_EQ(major("1.8.0_392"), 8);
  EXPECT_EQ(major(""), 0);
  EXPECT_EQ(major("x"), 0);
}

TEST(JavaRelease, refuses_what_is_known_not_to_work) {
  const auto verdict = [](const char* version, const char* variant, bool server) {
    return unsupported({.version = version, .vendor = "Acme", .variant = variant}, server);
  };
  EXPECT_EQ(verdict("17.0.9", "", true), "");
  EXPECT_EQ(verdict("25", "Hotspot", true), "");
  EXPECT_EQ(verdict("21", "Dragonwell", true), "") << "a HotSpot under another name";
  EXPECT_EQ(verdict("", "", true), "") << "the agent will see";
  EXPECT_EQ(verdict("16.0.2", "", true), "is Java 16.0.2 (Acme); Bursar profiles Java 17 to 25");
  EXPECT_EQ(verdict("26", "", true), "is Java 26 (Acme); Bursar profiles Java 17 to 25");
  EXPECT_EQ(verdict("1.8.0_392", "", false), "is Java 1.8.0_392 (Acme); Bursar profiles Java 17 to 25");
  EXPECT_NE(verdict("17", "Openj9", true).find("OpenJ9"), std::string::npos);
  EXPECT_NE(verdict("17", "", false).find("libjvm.so"), std::string::npos);
}

class Installation : public testing::Test {
 protected:
  Installation() {
    std::string name = (fs::temp_directory_path() / "bursar_java_XXXXXX").string();
    home_ = mkdtemp(name.data());
    fs::create_directories(home_ / "bin");
    fs::create_directories(home_ / "lib/server");
  }
  ~Installation() override { fs::remove_all(home_); }

  void put(const char* name, std::string_view text) const { std::ofstream(home_ / name) << text; }
  std::string verdict(const char* java = "bin/java") const {
    const auto status = check_java((home_ / java).string());
    return status ? "" : status.error().message;
  }

  fs::path home_;
};

TEST_F(Installation, without_a_release_file_passes) {
  EXPECT_EQ(verdict(), "");
}

TEST_F(Installation, with_a_file_that_only_is_called_release_passes) {
  put("release", "0.1\n");
  EXPECT_EQ(verdict(), "");
}

TEST_F(Installation, is_judged_by_its_release_file_and_its_libraries) {
  put("release", "JAVA_VERSION=\"17.0.9\"\n");
  EXPECT_EQ(verdict(), home_.string() + " has no HotSpot server JVM (lib/server/libjvm.so), which Bursar needs");
  put("lib/server/libjvm.so", "");
  EXPECT_EQ(verdict(), "");
  put("release", "JAVA_VERSION=\"11.0.2\"\n");
  EXPECT_EQ(verdict(), home_.string() + " is Java 11.0.2; Bursar profiles Java 17 to 25");
}

TEST_F(Installation, of_java_8_has_the_file_one_folder_further_up) {
  put("release", "JAVA_VERSION=\"1.8.0_1\"\n");
  EXPECT_NE(verdict("jre/bin/java").find("is Java 1.8.0_1"), std::string::npos);
}

}  // namespace
