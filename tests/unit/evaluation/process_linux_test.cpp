#include "evaluation/process_linux.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#include "evaluation/text_file.h"

namespace bursar::evaluation {
namespace {

class ProcessTest : public testing::Test {
 protected:
  std::string file(const char* name) const {
    return testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + name;
  }
  Process shell(const std::string& script) const {
    return {.words = {"sh", "-c", script}, .stdout_file = file("out"), .stderr_file = file("err")};
  }
  ProcessEnd run(const Process& process) { return run_process(process, signals_); }
  void TearDown() override {
    for (const char* name : {"out", "err"}) std::filesystem::remove(file(name));
  }

  AwaitedSignals signals_;
};

TEST_F(ProcessTest, output_and_status_are_kept) {
  Process process = shell("echo $WORD; echo bad >&2; exit 3");
  process.environment = {"WORD=good"};
  const ProcessEnd end = run(process);
  EXPECT_EQ(end.exit_status, 3);
  EXPECT_FALSE(end.good());
  EXPECT_EQ(reason(end, process), "exit status 3");
  EXPECT_EQ(*read_text(process.stdout_file), "good\n");
  EXPECT_EQ(last_lines(process.stderr_file, 5), "bad");
}

TEST_F(ProcessTest, cpu_time_and_memory_of_children_count_and_sleep_does_not) {
  // As bursar record: the work is done by a child of what was started.
  const ProcessEnd busy = run(shell("sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; true"));
  EXPECT_GT(busy.cpu_s, 0.02);
  EXPECT_LT(busy.cpu_s, busy.wall_s + 0.02);
  EXPECT_GT(busy.max_rss_kb, 100);
  const ProcessEnd idle = run(shell("sleep 0.5"));
  EXPECT_LT(idle.cpu_s, 0.25);
}

TEST_F(ProcessTest, a_signal_and_a_missing_program_have_their_own_words) {
  const Process killed = shell("kill -SEGV $$");
  EXPECT_EQ(reason(run(killed), killed), "ended by signal 11 (Segmentation fault)");
  const Process missing{.words = {"/nowhere/java"}, .stdout_file = file("out")};
  EXPECT_EQ(reason(run(missing), missing), "cannot run /nowhere/java: No such file or directory");
}

TEST_F(ProcessTest, what_hangs_is_ended_and_so_is_what_it_started) {
  Process process = shell("sleep 600 & echo $!; wait");
  process.timeout_s = 0.3;
  const ProcessEnd end = run(process);
  EXPECT_TRUE(end.timed_out);
  EXPECT_EQ(reason(end, process), "still running after 0.3 s");
  const pid_t left = std::stoi(*read_text(process.stdout_file));
  for (int i = 0; i < 200 && kill(left, 0) == 0; ++i) {
    // A container may have no process that collects orphans: ended is enough.
    const auto stat = read_text("/proc/" + std::to_string(left) + "/stat");
    if (stat && stat->find(") Z") != std::string::npos) return;
    usleep(20'000);
  }
  EXPECT_NE(kill(left, 0), 0);
}

TEST_F(ProcessTest, a_signal_to_us_ends_what_runs_and_not_us) {
  const Process process = shell("trap 'echo cleaned up; exit 0' TERM; kill -INT $PPID; while :; do sleep 0.05; done");
  const ProcessEnd end = run(process);
  EXPECT_TRUE(end.interrupted);
  EXPECT_FALSE(end.good());
  EXPECT_TRUE(signals_.asked_to_end()) << "it stays asked, though the signal is taken";
  EXPECT_EQ(*read_text(process.stdout_file), "cleaned up\n");
}

TEST_F(ProcessTest, a_signal_in_between_waits) {
  EXPECT_FALSE(signals_.asked_to_end());
  raise(SIGTERM);
  EXPECT_TRUE(signals_.asked_to_end());
}

TEST_F(ProcessTest, programs_do_not_inherit_what_we_block_or_ignore) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  const Process process = shell("grep -E 'SigBlk|SigIgn' /proc/self/status");
  EXPECT_TRUE(run(process).good());
  std::signal(SIGPIPE, before);
  const std::vector<std::string> lines = lines_of(*read_text(process.stdout_file));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(std::stoull(lines[0].substr(7), nullptr, 16), 0U) << lines[0];
  EXPECT_EQ(std::stoull(lines[1].substr(7), nullptr, 16) & (1U << (SIGPIPE - 1)), 0U) << lines[1];
}

}  // namespace
}  // namespace bursar::evaluation
