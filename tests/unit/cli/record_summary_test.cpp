#include "cli/record_summary.h"

#include <gtest/gtest.h>

#include <csignal>

namespace {

using bursar::cli::AgentStatus;
using bursar::cli::parse_agent_status;
using bursar::cli::ProgramEnd;
using bursar::cli::RecordedRun;
using bursar::cli::RecordSummary;
using bursar::cli::summarise;

using Lines = std::vector<std::string>;

const char* const kSaved = "saved=1\ncontexts=45678\ncalls=1234567\n";

RecordedRun exited(int status, std::string_view said) {
  return {.output = "run.bursar",
          .through_environment = false,
          .traced = false,
          .end = {.process = 5, .exit_status = status},
          .status = parse_agent_status(said),
          .crash_report = ""};
}

RecordedRun killed(int signal, std::string_view said) {
  RecordedRun run = exited(0, said);
  run.end.signal = signal;
  return run;
}

TEST(RecordSummary, sends_who_recorded_paths_to_the_verb_that_shows_them) {
  RecordedRun counted = exited(0, "contexts=0\npaths=1234\nsaved=1\n");
  counted.has_paths = true;
  EXPECT_EQ(summarise(counted).successes, Lines{"1,234 paths → run.bursar (bursar paths run.bursar)"});
  RecordedRun sampled = exited(0, "contexts=0\npath_samples=64\nsaved=1\n");
  sampled.has_paths = true;
  EXPECT_EQ(summarise(sampled).successes, Lines{"64 samples of paths → run.bursar (bursar paths run.bursar)"});
}

TEST(RecordSummary, says_what_was_saved_and_how_to_see_it) {
  const RecordSummary summary = summarise(exited(0, kSaved));
  EXPECT_EQ(summary.successes, Lines{"1,234,567 calls in 45,678 contexts → run.bursar (bursar report run.bursar)"});
  EXPECT_TRUE(summary.failures.empty());
  EXPECT_EQ(summary.exit_status, 0);
}

TEST(RecordSummary, an_estimate_is_said_to_be_one_and_rough_if_the_run_was_short) {
  RecordedRun run = exited(0, kSaved);
  run.estimated = true;
  run.seconds = 60;
  const std::string saved = "about 1,234,567 calls in 45,678 contexts → run.bursar (bursar report run.bursar)";
  EXPECT_EQ(summarise(run).successes, Lines{saved});
  run.seconds = 1.42;
  EXPECT_EQ(summarise(run).successes,
            (Lines{saved, "estimates of a run of 1.4 s are rough; --mode exact counts every call"}));
}

TEST(RecordSummary, samples_are_not_called_calls) {
  const RecordSummary summary = summarise(exited(0, "contexts=3\nsamples=0\nsaved=/run.bursar\n"));
  EXPECT_EQ(summary.successes, Lines{"0 samples in 3 contexts → run.bursar (bursar report run.bursar)"});
}

TEST(RecordSummary, a_trace_is_for_simulate_and_says_what_it_lacks) {
  RecordedRun run = exited(0, "events=1234\nnote=it is full\nsaved=1\n");
  run.traced = true;
  const RecordSummary summary = summarise(run);
  EXPECT_EQ(summary.successes, Lines{"1,234 events → run.bursar (bursar simulate run.bursar --scheme adaptive)"});
  EXPECT_EQ(summary.failures, Lines{"it is full"});
  EXPECT_EQ(summary.exit_status, 0);
}

TEST(RecordSummary, the_programs_status_is_ours) {
  EXPECT_EQ(summarise(exited(3, kSaved)).exit_status, 3);
  EXPECT_EQ(summarise(exited(3, "error=disk full\n")).exit_status, 3);
  EXPECT_EQ(summarise(killed(SIGTERM, kSaved)).exit_status, 143);
}

TEST(RecordSummary, a_profile_that_is_missing_makes_success_a_failure) {
  EXPECT_EQ(summarise(exited(0, "error=disk full\n")).exit_status, 1);
  EXPECT_EQ(summarise(exited(0, "error=disk full\n")).failures, Lines{"nothing was saved: disk full"});
  EXPECT_EQ(summarise(exited(0, "")).exit_status, 1);
  EXPECT_EQ(summarise(exited(0, std::string(kSaved) + "error=x\n")).exit_status, 1);
}

TEST(RecordSummary, a_signal_that_came_too_early_is_named) {
  const RecordSummary summary = summarise(killed(SIGKILL, ""));
  EXPECT_EQ(summary.failures, Lines{"nothing was saved: signal 9 (SIGKILL) ended the program before it could save"});
  EXPECT_EQ(summary.exit_status, 137);
  EXPECT_EQ(summarise(killed(SIGTERM, kSaved)).failures, Lines{"signal 15 (SIGTERM) ended the program"});
}

TEST(RecordSummary, a_crash_points_at_the_jvms_report) {
  RecordedRun run = killed(SIGABRT, "");
  run.crash_report = "hs_err_pid5.log";
  EXPECT_EQ(summarise(run).failures,
            Lines{"nothing was saved: signal 6 (SIGABRT) ended the program before it could save; "
                  "the JVM crashed, hs_err_pid5.log tells more"});
}

TEST(RecordSummary, a_shells_status_for_a_signal_is_explained) {
  EXPECT_EQ(
      summarise(exited(137, "")).failures,
      Lines{"nothing was saved: the program ended with exit status 137, as if signal 9 (SIGKILL) had ended it before "
            "it could save"});
}

TEST(RecordSummary, silence_of_a_script_is_another_than_that_of_java) {
  RecordedRun run = exited(1, "");
  EXPECT_NE(summarise(run).failures.at(0).find("its JVM did not start"), std::string::npos);
  run.through_environment = true;
  EXPECT_NE(summarise(run).failures.at(0).find("did it start java?"), std::string::npos);
}

TEST(RecordSummary, several_jvms_are_added_up) {
  RecordedRun run = exited(0, std::string(kSaved) + kSaved);
  run.output = "run-%p.bursar";
  EXPECT_EQ(summarise(run).successes, Lines{"2,469,134 calls in 91,356 contexts of 2 JVMs → run-%p.bursar"});
  run.status = parse_agent_status("contexts=45678\ncalls=1234567\nsaved=/x/run-7.bursar\n");
  EXPECT_EQ(summarise(run).successes,
            Lines{"1,234,567 calls in 45,678 contexts → /x/run-7.bursar (bursar report /x/run-7.bursar)"});
}

TEST(RecordSummary, several_jvms_with_one_name_are_told_of_the_pattern) {
  const RecordSummary summary = summarise(exited(0, std::string(kSaved) + "error=run.bursar exists\n"));
  EXPECT_EQ(summary.failures,
            (Lines{"a profile was not saved: run.bursar exists",
                   "more than one JVM ran; %p in the name of the output gives each a file of its own"}));
}

TEST(RecordSummary, a_profile_written_over_another_is_no_success) {
  const RecordSummary summary = summarise(exited(0, std::string(kSaved) + kSaved));
  EXPECT_TRUE(summary.successes.empty());
  EXPECT_EQ(summary.failures,
            (Lines{"2 JVMs wrote run.bursar, which holds the last one only",
                   "more than one JVM ran; %p in the name of the output gives each a file of its own"}));
  EXPECT_EQ(summary.exit_status, 1);
}

TEST(RecordSummary, names_and_reasons_are_safe_to_print) {
  RecordedRun run = exited(0, kSaved);
  run.output = "a b\x1b.bursar";
  EXPECT_EQ(summarise(run).successes,
            Lines{"1,234,567 calls in 45,678 contexts → 'a b\\x1b.bursar' (bursar report 'a b\\x1b.bursar')"});
  EXPECT_EQ(summarise(exited(1, "error=\x1b[2J\n")).failures, Lines{"nothing was saved: \\x1b[2J"});
}

}  // namespace
