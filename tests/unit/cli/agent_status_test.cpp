#include "cli/agent_status.h"

#include <gtest/gtest.h>

namespace {

using bursar::cli::AgentStatus;
using bursar::cli::parse_agent_status;

TEST(AgentStatus, an_empty_file_is_silence) {
  EXPECT_TRUE(parse_agent_status("").silent());
  EXPECT_TRUE(parse_agent_status("\n\nsaved\n").silent());
  EXPECT_TRUE(parse_agent_status("saved=0\n").silent());
}

TEST(AgentStatus, reads_what_was_saved) {
  const AgentStatus status = parse_agent_status("saved=/a=b\ncontexts=45678\ncalls=18446744073709551615\nnew=x");
  EXPECT_EQ(status.saved, 1U);
  EXPECT_EQ(status.contexts, 45678U);
  EXPECT_EQ(status.calls, UINT64_MAX);
  EXPECT_EQ(status.outputs, std::vector<std::string>{"/a=b"});
  EXPECT_TRUE(status.errors.empty());
}

TEST(AgentStatus, tells_samples_from_calls) {
  const AgentStatus status = parse_agent_status("contexts=3\nsamples=0\nsaved=/a\n");
  EXPECT_TRUE(status.has_samples);
  EXPECT_EQ(status.samples, 0U);
  EXPECT_FALSE(parse_agent_status("calls=3\n").has_samples);
}

TEST(AgentStatus, reads_what_a_running_jvm_says) {
  const AgentStatus status = parse_agent_status("recording=sample\noutput=/a\nduration_ns=1500\nsamples=12\n");
  EXPECT_EQ(status.recording, "sample");
  EXPECT_EQ(status.output, "/a");
  EXPECT_EQ(status.duration_ns, 1500U);
  EXPECT_EQ(status.samples, 12U);
}

TEST(AgentStatus, reads_what_a_trace_holds_and_lacks) {
  const AgentStatus status = parse_agent_status("events=12\nnote=a = b\nnote=c\nsaved=/x.trace\n");
  EXPECT_EQ(status.events, 12U);
  EXPECT_EQ(status.notes, (std::vector<std::string>{"a = b", "c"}));
  EXPECT_EQ(status.saved, 1U);
}

TEST(AgentStatus, adds_up_what_several_jvms_say) {
  const AgentStatus status =
      parse_agent_status("saved=1\ncontexts=2\ncalls=10\nerror=no space = bad\nsaved=1\ncontexts=3\ncalls=20\n");
  EXPECT_EQ(status.saved, 2U);
  EXPECT_EQ(status.contexts, 5U);
  EXPECT_EQ(status.calls, 30U);
  EXPECT_EQ(status.errors, std::vector<std::string>{"no space = bad"});
}

TEST(AgentStatus, adds_up_recompiled_classes) {
  EXPECT_EQ(parse_agent_status("recompiled=3\nrecompiled=4\n").recompiled, 7U);
}

TEST(AgentStatus, an_error_alone_is_not_silence) {
  EXPECT_FALSE(parse_agent_status("error=not HotSpot\n").silent());
}

}  // namespace
