#include "evaluation/jfr.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "export/folded.h"

namespace bursar::evaluation {
namespace {

std::string event(const std::string& frames, const char* truncated = "false") {
  return R"({"type": "jdk.ExecutionSample", "values": {"startTime": "2026", "state": "STATE_RUNNABLE",
    "sampledThread": {"javaName": "main", "group": {"name": "main"}},
    "stackTrace": {"truncated": )" +
         std::string(truncated) + R"(, "frames": [)" + frames + "]}}}";
}

std::string frame(const std::string& type, const std::string& method) {
  return R"({"method": {"type": {"classLoader": {"type": {"name": "no/Loader"}, "name": "app"}, "name": ")" + type +
         R"(", "package": {"name": "no"}}, "name": ")" + method +
         R"(", "descriptor": "()V", "hidden": false}, "lineNumber": 1, "type": "JIT compiled"})";
}

base::Result<JfrStacks> fold(const std::string& events) {
  std::istringstream json(R"({"recording": {"events": [)" + events + "]}}");
  return fold_jfr(json);
}

TEST(Jfr, stacks_begin_at_the_root_and_add_up) {
  const std::string deep = frame("a/B", "get") + "," + frame("a/Main", "main");
  const auto stacks = fold(event(deep) + "," + event(frame("a/Main", "main")) + "," + event(deep));
  ASSERT_TRUE(stacks) << stacks.error().message;
  EXPECT_EQ(stacks->folded, "a/Main.main 1\na/Main.main;a/B.get 2\n");
  EXPECT_EQ(stacks->samples, 3U);
  EXPECT_EQ(stacks->truncated, 0U);
}

TEST(Jfr, a_stack_cut_at_its_root_hangs_below_a_frame_that_says_so) {
  const auto stacks = fold(event(frame("a/B", "get"), "true"));
  ASSERT_TRUE(stacks);
  EXPECT_EQ(stacks->folded, "[truncated];a/B.get 1\n");
  EXPECT_EQ(stacks->truncated, 1U);
}

TEST(Jfr, a_sample_without_stack_is_none) {
  const auto stacks = fold(R"({"type": "jdk.ExecutionSample", "values": {"stackTrace": null}})");
  ASSERT_TRUE(stacks);
  EXPECT_EQ(stacks->samples, 0U);
  EXPECT_EQ(stacks->folded, "");
}

TEST(Jfr, a_frame_without_method_keeps_its_place) {
  const auto stacks = fold(event(R"({"method": null, "lineNumber": 0},)" + frame("a/Main", "main")));
  ASSERT_TRUE(stacks);
  EXPECT_EQ(stacks->folded, "a/Main.main;[unknown] 1\n");
  EXPECT_TRUE(exports::import_folded(stacks->folded, "samples"));
}

TEST(Jfr, what_is_no_json_is_refused_with_its_place) {
  for (const char* text : {"", "{", R"({"recording": {"events": [)", "jfr print: could not open"}) {
    std::istringstream json(text);
    const auto stacks = fold_jfr(json);
    ASSERT_FALSE(stacks) << text;
    EXPECT_NE(stacks.error().message.find("at byte"), std::string::npos);
  }
}

TEST(Jfr, a_real_recording_becomes_a_profile_of_our_methods) {
  std::ifstream json("tests/unit/evaluation/jfr_sample.json");
  ASSERT_TRUE(json);
  const auto stacks = fold_jfr(json);
  ASSERT_TRUE(stacks) << stacks.error().message;
  ASSERT_GT(stacks->samples, 0U);
  const auto profile = exports::import_folded(stacks->folded, "samples");
  ASSERT_TRUE(profile) << profile.error().message;
  std::set<std::string> names;
  for (const profile::Method& method : (*profile)->methods) names.insert(method.class_name + "." + method.name);
  EXPECT_TRUE(names.contains("Sampled.main"));
  EXPECT_TRUE(names.contains("Sampled.inner"));
  EXPECT_TRUE(names.contains("Sampled$$Lambda.run")) << "numbers and addresses of generated classes must go";
  EXPECT_TRUE(names.contains("Sampled.lambda$main$0"));
}

}  // namespace
}  // namespace bursar::evaluation
