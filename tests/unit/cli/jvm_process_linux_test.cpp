#include "cli/jvm_process_linux.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bursar::cli {
namespace {

TEST(JvmProcess, an_answer_is_success_or_says_why_not) {
  EXPECT_EQ(load_problem("0\nreturn code: 0\n"), "");
  EXPECT_EQ(load_problem("0\nreturn code: -1\n"), "return code: -1");
  EXPECT_EQ(load_problem("0\n/a/b.so was not loaded.\nno such file\n"), "/a/b.so was not loaded.; no such file");
  EXPECT_EQ(load_problem("101\n"), "it refused to load the agent");
  EXPECT_EQ(load_problem(""), "it ended");
}

TEST(JvmProcess, a_process_that_is_gone_is_no_jvm) {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  const auto found = JvmProcess::find(child);
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().message, "there is no process " + std::to_string(child));
}

TEST(JvmProcess, what_has_no_libjvm_is_no_jvm) {
  const auto found = JvmProcess::find(getpid());
  ASSERT_FALSE(found.ok());
  EXPECT_NE(found.error().message.find("is no HotSpot JVM"), std::string::npos);
}

}  // namespace
}  // namespace bursar::cli
