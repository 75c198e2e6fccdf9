#include "cli/running_jvms_linux.h"

#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace bursar::cli {
namespace {

using Words = std::vector<std::string>;

const std::vector<RunningJvm> kTwo = {{11, "org.acme.Server"}, {12, "/opt/acme/client.jar"}};

TEST(RunningJvmsTest, main_is_what_java_runs) {
  EXPECT_EQ(main_of({"java", "-Xmx1g", "-cp", "a.jar", "org.acme.Server", "-jar"}), "org.acme.Server");
  EXPECT_EQ(main_of({"/usr/bin/java", "-Dx=y", "-jar", "client.jar", "word"}), "client.jar");
  EXPECT_EQ(main_of({"java", "--module-path", "m", "-m", "acme/org.acme.Main"}), "acme/org.acme.Main");
  EXPECT_EQ(main_of({"java", "@options", "Main"}), "Main");
  EXPECT_EQ(main_of({"java", "-jar"}), "");
  EXPECT_EQ(main_of({}), "");
}

TEST(RunningJvmsTest, a_number_is_taken_as_it_is) {
  EXPECT_EQ(choose_jvm("4711", kTwo).value(), 4711);
  EXPECT_FALSE(choose_jvm("0", kTwo));
  EXPECT_FALSE(choose_jvm("99999999999999999999", kTwo));
}

TEST(RunningJvmsTest, a_name_is_part_of_the_main_of_one) {
  EXPECT_EQ(choose_jvm("Server", kTwo).value(), 11);
  EXPECT_EQ(choose_jvm("client", kTwo).value(), 12);
  EXPECT_NE(choose_jvm("acme", kTwo).error().message.find("2 JVMs"), std::string::npos);
  EXPECT_NE(choose_jvm("beta", kTwo).error().message.find("     11  org.acme.Server\n"), std::string::npos);
}

TEST(RunningJvmsTest, without_a_name_it_is_the_only_one) {
  EXPECT_EQ(choose_jvm("", {{7, ""}}).value(), 7);
  EXPECT_FALSE(choose_jvm("", kTwo));
  EXPECT_NE(choose_jvm("", {}).error().message.find("bursar record"), std::string::npos);
}

TEST(RunningJvmsTest, this_machine_can_be_listed) {
  for (const RunningJvm& jvm : running_jvms()) EXPECT_GT(jvm.process, 0);
}

TEST(FilePatternTest, process_time_and_the_first_free_number) {
  EXPECT_EQ(expand_file_pattern("a-%p-%t.bursar", 42, "20260131-235959"), "a-42-20260131-235959.bursar");
  EXPECT_EQ(expand_file_pattern("50% %x %", 42, ""), "50% %x %");
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / std::to_string(getpid());
  std::filesystem::create_directory(folder);
  const std::string pattern = (folder / "run-%n").string();
  EXPECT_EQ(expand_file_pattern(pattern, 1, ""), folder / "run-1");
  std::ofstream(folder / "run-1") << "there";
  EXPECT_EQ(expand_file_pattern(pattern, 1, ""), folder / "run-2");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace bursar::cli
