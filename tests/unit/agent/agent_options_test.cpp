#include "agent/agent_options.h"

#include <gtest/gtest.h>

#include <random>

#include "cli/agent_options.h"

namespace bursar::agent {
namespace {

std::string problem_of(std::string_view text) {
  const base::Result<AgentOptions> options = parse_agent_options(text);
  return options.ok() ? "" : options.error().message;
}

TEST(AgentOptions, have_defaults) {
  const base::Result<AgentOptions> options = parse_agent_options("");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->mode, "exact");
  EXPECT_EQ(options->output, "bursar-%p.bursar");
  EXPECT_FALSE(options->call_sites);
  EXPECT_EQ(options->max_contexts, kDefaultMaxContexts);
  EXPECT_EQ(options->max_size, kDefaultMaxSize);
  EXPECT_EQ(options->skip_ms, 0U);
  EXPECT_TRUE(options->include.empty());
  EXPECT_TRUE(options->exclude.empty());
  EXPECT_EQ(options->command, "");
  EXPECT_EQ(options->status, "");
}

TEST(AgentOptions, of_mode_adaptive_begin_with_a_short_interval_unless_one_is_given) {
  const base::Result<AgentOptions> options = parse_agent_options("mode=adaptive");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->bursts.interval_ns, 1'000'000U);
  EXPECT_EQ(options->bursts.burst_ns, 40'000U);
  EXPECT_TRUE(options->tunes_interval);
  const base::Result<AgentOptions> given = parse_agent_options("mode=adaptive,interval_ns=10000000");
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->bursts.interval_ns, 10'000'000U);
  EXPECT_FALSE(given->tunes_interval);
}

TEST(AgentOptions, of_mode_paths_are_those_of_mode_adaptive) {
  const base::Result<AgentOptions> options = parse_agent_options("mode=paths");
  ASSERT_TRUE(options.ok());
  EXPECT_TRUE(options->in_bursts());
  EXPECT_TRUE(options->counts_paths());
  EXPECT_EQ(options->bursts.kind, schemes::Kind::kAdaptive);
  EXPECT_EQ(options->bursts.interval_ns, 1'000'000U);
  EXPECT_TRUE(options->tunes_interval);
  EXPECT_FALSE(parse_agent_options("mode=adaptive").value().counts_paths());
}

TEST(AgentOptions, of_mode_paths_that_speak_of_samples_have_the_papers_defaults) {
  for (const char* text : {"mode=paths,samples=64", "stride=17,mode=paths", "mode=paths,window_ns=10000",
                           "mode=paths,placement=code", "mode=paths,first_ns=3000000000"}) {
    const base::Result<AgentOptions> options = parse_agent_options(text);
    ASSERT_TRUE(options.ok());
    EXPECT_FALSE(options->in_bursts()) << text;
    EXPECT_EQ(options->interval_ns, 20'000'000U);
    EXPECT_EQ(options->samples, 64U);
    EXPECT_EQ(options->stride, 17U);
  }
  const base::Result<AgentOptions> given =
      parse_agent_options("interval_ns=5000000,samples=8,stride=3,window_ns=0,mode=paths");
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->interval_ns, 5'000'000U);
  EXPECT_EQ(given->samples, 8U);
  EXPECT_EQ(given->stride, 3U);
  EXPECT_EQ(given->window_ns, 0U);
  EXPECT_EQ(given->first_ns, kNoLimitNs);
  EXPECT_EQ(parse_agent_options("mode=paths,first_ns=0").value().first_ns, 0U);
  EXPECT_EQ(given->placement, PathPlacement::kCode);
  EXPECT_EQ(parse_agent_options("mode=paths,placement=profile").value().placement, PathPlacement::kProfile);
  EXPECT_NE(problem_of("mode=paths,samples=0").find("samples is '0'"), std::string::npos);
  EXPECT_NE(problem_of("mode=paths,stride=x").find("stride is 'x'"), std::string::npos);
}

TEST(AgentOptions, take_every_key) {
  const base::Result<AgentOptions> options = parse_agent_options(
      "mode=exact,output=/o,call_sites=1,max_contexts=12,include=a.*,exclude=b.C,include=c,command=java A,status=/s");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->output, "/o");
  EXPECT_TRUE(options->call_sites);
  EXPECT_EQ(options->max_contexts, 12U);
  EXPECT_EQ(options->include, (std::vector<std::string>{"a.*", "c"}));
  EXPECT_EQ(options->exclude, (std::vector<std::string>{"b.C"}));
  EXPECT_EQ(options->command, "java A");
  EXPECT_EQ(options->status, "/s");
}

TEST(AgentOptions, of_sampling_and_attaching) {
  const base::Result<AgentOptions> plain = parse_agent_options("mode=sample");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->interval_ns, 10'000'000U);
  EXPECT_EQ(plain->seed, 1U);
  EXPECT_EQ(plain->action, AttachAction::kStart);
  EXPECT_FALSE(plain->names_output);
  const base::Result<AgentOptions> options =
      parse_agent_options("mode=sample,interval_ns=2000000,seed=77,action=dump,output=/o");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->interval_ns, 2'000'000U);
  EXPECT_EQ(options->seed, 77U);
  EXPECT_EQ(options->action, AttachAction::kDump);
  EXPECT_TRUE(options->names_output);
  EXPECT_EQ(problem_of("action=go"),
            "agent options: there is no action 'go' (there is: start, stop, dump, status, recompile)");
  EXPECT_EQ(parse_agent_options("action=recompile,include=a.B")->action, AttachAction::kRecompile);
  EXPECT_EQ(problem_of("seed=x"), "agent options: seed is 'x', not a number from 0 to 18446744073709551615");
  EXPECT_EQ(problem_of("interval_ns=99999"),
            "agent options: interval_ns is '99999', not a number from 100000 to 10000000000");
}

TEST(AgentOptions, clocks_walks_and_intervals_that_tune_themselves) {
  const base::Result<AgentOptions> usual = parse_agent_options("mode=sample");
  ASSERT_TRUE(usual.ok());
  EXPECT_EQ(usual->clock, SampleClock::kCpu);
  EXPECT_EQ(usual->walks, SampleWalks::kFull);
  EXPECT_FALSE(usual->tunes_interval);
  const base::Result<AgentOptions> given = parse_agent_options(
      cli::AgentOptions{.mode = "sample", .clock = "wall", .walks = "check", .tune = true, .max_interval_ns = 9'000'000}
          .text());
  ASSERT_TRUE(given.ok());
  EXPECT_EQ(given->clock, SampleClock::kWall);
  EXPECT_EQ(given->walks, SampleWalks::kCheck);
  EXPECT_TRUE(given->tunes_interval);
  EXPECT_EQ(given->min_interval_ns, kDefaultMinIntervalNs);
  EXPECT_EQ(given->max_interval_ns, 9'000'000U);
  EXPECT_EQ(parse_agent_options("tune=1")->walks, SampleWalks::kNew) << "it goes by them";
  EXPECT_EQ(problem_of("clock=sun"), "agent options: there is no clock 'sun' (there is: cpu, wall)");
  EXPECT_EQ(problem_of("walks=far"), "agent options: there is no walks 'far' (there is: full, new, check)");
  EXPECT_EQ(problem_of("tune=yes"), "agent options: tune is 'yes', not 0 or 1");
  EXPECT_EQ(problem_of("min_interval_ns=1"),
            "agent options: min_interval_ns is '1', not a number from 100000 to 10000000000");
}

TEST(AgentOptions, take_those_of_a_trace) {
  const base::Result<AgentOptions> options = parse_agent_options("mode=trace,max_size=65536,skip_ms=5000");
  ASSERT_TRUE(options.ok());
  EXPECT_EQ(options->mode, "trace");
  EXPECT_EQ(options->max_size, 65536U);
  EXPECT_EQ(options->skip_ms, 5000U);
  EXPECT_NE(problem_of("max_size=65535"), "");
  EXPECT_NE(problem_of("max_size=1G"), "");
  EXPECT_NE(problem_of("skip_ms=5s"), "");
}

TEST(AgentOptions, bursts_and_gates) {
  const base::Result<AgentOptions> options = parse_agent_options(
      "mode=adaptive,interval_ns=20000000,burst_ns=500000,reenable=0.1,history=64,collision=keep,seed=7,gate=a.B.c,"
      "gate=d.E.f");
  ASSERT_TRUE(options);
  EXPECT_EQ(options->bursts.kind, schemes::Kind::kAdaptive);
  EXPECT_EQ(options->bursts.interval_ns, 20'000'000U);
  EXPECT_EQ(options->bursts.burst_ns, 500'000U);
  EXPECT_EQ(options->bursts.reenable, 0.1);
  EXPECT_EQ(options->bursts.history, 64U);
  EXPECT_EQ(options->bursts.collision, schemes::Collision::kKeep);
  EXPECT_EQ(options->bursts.seed, 7U);
  EXPECT_EQ(options->gates, (std::vector<std::string>{"a.B.c", "d.E.f"}));
  EXPECT_EQ(parse_agent_options("mode=burst")->bursts.kind, schemes::Kind::kStatic);
  for (const char* wrong :
       {"reenable=", "reenable=-1", "reenable=1.1", "reenable=nan", "burst_ns=1", "history=0", "collision=both"}) {
    EXPECT_NE(problem_of(wrong), "") << wrong;
  }
}

TEST(AgentOptions, unescape_values) {
  EXPECT_EQ(parse_agent_options("output=%2Fa%2c%3D%25%2541")->output, "/a,=%%41");
  EXPECT_EQ(parse_agent_options("command=100%25")->command, "100%");
}

TEST(AgentOptions, leave_a_percent_sign_that_escapes_nothing) {
  EXPECT_EQ(parse_agent_options("output=run-%p.bursar")->output, "run-%p.bursar");
  EXPECT_EQ(parse_agent_options("output=%")->output, "%");
  EXPECT_EQ(parse_agent_options("output=%2")->output, "%2");
  EXPECT_EQ(parse_agent_options("output=%2g")->output, "%2g");
}

TEST(AgentOptions, a_value_may_hold_an_equals_sign_and_be_empty) {
  EXPECT_EQ(parse_agent_options("command=java -Da=b")->command, "java -Da=b");
  EXPECT_EQ(parse_agent_options("command=,call_sites=1")->call_sites, true);
  EXPECT_EQ(parse_agent_options("call_sites=1,")->call_sites, true);
}

TEST(AgentOptions, say_what_is_wrong) {
  EXPECT_EQ(problem_of("nonsense"), "agent options: 'nonsense' is not key=value");
  EXPECT_EQ(problem_of("call_sites=1,,mode=exact"), "agent options: '' is not key=value");
  EXPECT_EQ(problem_of("sites=1"), "agent options: there is no option 'sites'");
  EXPECT_EQ(problem_of("mode=sampled"),
            "agent options: there is no mode 'sampled' (there is: adaptive, exact, sample, trace, burst, cbs, paths, "
            "exact-paths)");
  EXPECT_EQ(problem_of("output="), "agent options: output is empty");
  EXPECT_EQ(problem_of("call_sites=yes"), "agent options: call_sites is 'yes', not 0 or 1");
  for (const char* number : {"", "0", "-1", "+1", "1 ", "0x10", "1e6", "18446744073709551616"}) {
    EXPECT_EQ(problem_of("max_contexts=" + std::string(number)),
              "agent options: max_contexts is '" + std::string(number) + "', not a number from 1 to 4000000000");
  }
}

TEST(AgentOptions, read_what_the_command_writes) {
  std::mt19937 random(11);
  const auto text = [&random] {
    constexpr std::string_view kAlphabet = ",=%p2C5 'a\n\"/\xc3\xa4";
    std::string result = "x";
    for (std::size_t n = random() % 12; n > 0; --n) result += kAlphabet[random() % kAlphabet.size()];
    return result;
  };
  for (int round = 0; round < 2000; ++round) {
    cli::AgentOptions written{.mode = "exact",
                              .output = text(),
                              .call_sites = random() % 2 == 0,
                              .include = {text(), text()},
                              .exclude = {text()},
                              .status = text(),
                              .command = text()};
    if (random() % 2 == 0) written.interval_ns = 100'000 + random() % 1000;
    if (random() % 2 == 0) written.seed = random();
    if (random() % 2 == 0) written.action = "stop";
    if (random() % 2 == 0) written.max_contexts = 1 + static_cast<std::uint32_t>(random() % 1000);
    const base::Result<AgentOptions> read = parse_agent_options(written.text());
    ASSERT_TRUE(read.ok()) << written.text();
    ASSERT_EQ(read->mode, written.mode);
    ASSERT_EQ(read->output, written.output);
    ASSERT_EQ(read->call_sites, written.call_sites);
    ASSERT_EQ(read->max_contexts, written.max_contexts ? *written.max_contexts : kDefaultMaxContexts);
    ASSERT_EQ(read->interval_ns, written.interval_ns.value_or(kDefaultIntervalNs));
    ASSERT_EQ(read->seed, written.seed.value_or(1));
    ASSERT_EQ(read->action, written.action.empty() ? AttachAction::kStart : AttachAction::kStop);
    ASSERT_EQ(read->include, written.include);
    ASSERT_EQ(read->exclude, written.exclude);
    ASSERT_EQ(read->status, written.status);
    ASSERT_EQ(read->command, written.command);
  }
}

}  // namespace
}  // namespace bursar::agent
