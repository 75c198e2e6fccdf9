#include "cli/launch_plan.h"

#include <gtest/gtest.h>

#include <cctype>
#include <random>

namespace {

using bursar::cli::is_java;
using bursar::cli::LaunchPlan;
using bursar::cli::plan_launch;
using bursar::cli::tool_option;

using Words = std::vector<std::string>;

// How HotSpot takes JAVA_TOOL_OPTIONS apart (Arguments::parse_options_buffer), in short.
Words options_in(std::string_view text) {
  Words words;
  std::size_t i = 0;
  const auto blank = [&] { return std::isspace(static_cast<unsigned char>(text[i])) != 0; };
  for (;;) {
    while (i < text.size() && blank()) ++i;
    if (i == text.size()) return words;
    std::string word;
    while (i < text.size() && !blank()) {
      if (text[i] != '"' && text[i] != '\'') {
        word += text[i++];
        continue;
      }
      const char quote = text[i++];
      while (text[i] != quote) word += text[i++];
      ++i;
    }
    words.push_back(word);
  }
}

TEST(LaunchPlan, java_is_known_by_its_name_or_by_what_a_link_leads_to) {
  EXPECT_TRUE(is_java("java", "/usr/lib/jvm/17/bin/java"));
  EXPECT_TRUE(is_java("/opt/jdk/bin/java", "/opt/jdk/bin/java"));
  EXPECT_TRUE(is_java("java17", "/usr/lib/jvm/17/bin/java"));
  EXPECT_TRUE(is_java("java", "/usr/bin/version-manager"));
  EXPECT_FALSE(is_java("javac", "/usr/lib/jvm/17/bin/javac"));
  EXPECT_FALSE(is_java("./java.sh", "/home/me/java.sh"));
  EXPECT_FALSE(is_java("java/run", "/home/java/run"));
}

TEST(LaunchPlan, a_stack_size_of_the_users_own_is_followed_by_a_larger_one) {
  const LaunchPlan plan = plan_launch(
      {"java", "-Xss512k", "-cp", "-Xss1m", "-XX:ThreadStackSize=1024", "Main", "-Xss2m"}, {}, true, {"-agent"});
  EXPECT_EQ(plan.arguments, (Words{"java", "-agent", "-Xss512k", "-Xss2097152", "-cp", "-Xss1m",
                                   "-XX:ThreadStackSize=1024", "-XX:ThreadStackSize=4096", "Main", "-Xss2m"}));
}

TEST(LaunchPlan, stacks_stay_as_they_are_where_frames_do) {
  const LaunchPlan plan = plan_launch({"java", "-Xss1m", "A"}, {}, true, {"-o"}, bursar::cli::Frames::kAsTheyAre);
  EXPECT_EQ(plan.arguments, (Words{"java", "-o", "-Xss1m", "A"}));
}

TEST(LaunchPlan, a_stack_size_that_is_none_or_could_not_be_larger_is_left_to_java) {
  const LaunchPlan plan = plan_launch({"java", "-Xssmuch", "-Xss1g", "-Xss9999999999g", "-jar", "a.jar"}, {}, true, {});
  EXPECT_EQ(plan.arguments,
            (Words{"java", "-Xssmuch", "-Xss1g", "-Xss1073741824", "-Xss9999999999g", "-jar", "a.jar"}));
}

TEST(LaunchPlan, java_gets_the_options_first_and_keeps_everything_else) {
  const LaunchPlan plan = plan_launch({"java", "-cp", "a b", "Main", "", "--", "-x"}, {"A=1", "JAVA_TOOL_OPTIONS=-Dx"},
                                      true, {"-o1", "-o2"});
  EXPECT_EQ(plan.arguments, (Words{"java", "-o1", "-o2", "-cp", "a b", "Main", "", "--", "-x"}));
  EXPECT_EQ(plan.environment, (Words{"A=1", "JAVA_TOOL_OPTIONS=-Dx"}));
  EXPECT_FALSE(plan.through_environment);
}

TEST(LaunchPlan, another_program_gets_them_in_its_environment) {
  const LaunchPlan plan = plan_launch({"./run", "", "x y"}, {"A=1"}, false, {"-o1", "-o2=a b"});
  EXPECT_EQ(plan.arguments, (Words{"./run", "", "x y"}));
  EXPECT_EQ(plan.environment, (Words{"A=1", "JAVA_TOOL_OPTIONS=-o1 -o2=a\" b\""}));
  EXPECT_TRUE(plan.through_environment);
}

TEST(LaunchPlan, options_that_are_there_stay_in_front) {
  EXPECT_EQ(plan_launch({"run"}, {"JAVA_TOOL_OPTIONS=-Dx=1", "B=2"}, false, {"-o"}).environment,
            (Words{"JAVA_TOOL_OPTIONS=-Dx=1 -o", "B=2"}));
  EXPECT_EQ(plan_launch({"run"}, {"JAVA_TOOL_OPTIONS="}, false, {"-o"}).environment, (Words{"JAVA_TOOL_OPTIONS=-o"}));
  EXPECT_EQ(plan_launch({"run"}, {"JAVA_TOOL_OPTIONS_2=-Dx"}, false, {"-o"}).environment,
            (Words{"JAVA_TOOL_OPTIONS_2=-Dx", "JAVA_TOOL_OPTIONS=-o"}));
}

TEST(ToolOption, plain_options_are_not_quoted) {
  EXPECT_EQ(tool_option("-agentpath:/a/libbursar.so=mode=exact"), "-agentpath:/a/libbursar.so=mode=exact");
}

TEST(ToolOption, a_jvm_reads_random_options_as_they_were) {
  constexpr std::string_view kAlphabet = "ab \t\n'\"\\%,=";
  std::mt19937 random(3);
  for (int round = 0; round < 5000; ++round) {
    Words options(1 + random() % 3);
    std::string text;
    for (std::string& option : options) {
      option = "-";
      for (std::size_t left = random() % 12; left > 0; --left) option += kAlphabet[random() % kAlphabet.size()];
      text += " " + tool_option(option);
    }
    ASSERT_EQ(options_in(text), options) << text;
  }
}

}  // namespace
