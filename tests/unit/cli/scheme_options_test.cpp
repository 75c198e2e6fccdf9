#include "cli/scheme_options.h"

#include <gtest/gtest.h>

namespace {

using namespace bursar::cli;
using bursar::schemes::Collision;
using bursar::schemes::Kind;
using bursar::schemes::Options;

std::vector<std::string> texts(const std::vector<Options>& variants) {
  std::vector<std::string> found;
  for (const Options& options : variants) found.push_back(scheme_text(options));
  return found;
}

Sweep sweep(const std::string& text) {
  return parse_sweep(text).value();
}

TEST(SchemeOptions, words_and_kinds) {
  for (const std::string& word : scheme_words()) EXPECT_EQ(scheme_word(scheme_kind(word)), word);
  EXPECT_EQ(scheme_words(), (std::vector<std::string>{"exhaustive", "sample", "burst", "adaptive", "cbs"}));
}

TEST(SchemeOptions, are_set_by_name) {
  Options options;
  EXPECT_EQ(set_scheme_option(options, "interval", "5ms"), "");
  EXPECT_EQ(set_scheme_option(options, "burst-length", "0.5"), "");
  EXPECT_EQ(set_scheme_option(options, "reenable", "0.1"), "");
  EXPECT_EQ(set_scheme_option(options, "history", "64"), "");
  EXPECT_EQ(set_scheme_option(options, "collision", "keep"), "");
  EXPECT_EQ(set_scheme_option(options, "jitter", "0"), "");
  EXPECT_EQ(set_scheme_option(options, "seed", "9"), "");
  EXPECT_EQ(options.interval_ns, 5'000'000U);
  EXPECT_EQ(options.burst_ns, 500'000U) << "milliseconds where there is no unit";
  EXPECT_EQ(options.reenable, 0.1);
  EXPECT_EQ(options.history, 64U);
  EXPECT_EQ(options.collision, Collision::kKeep);
  EXPECT_EQ(options.jitter, 0);
  EXPECT_EQ(options.seed, 9U);
}

TEST(SchemeOptions, wrong_values_get_a_word_and_change_nothing) {
  const std::vector<std::pair<const char*, const char*>> wrong = {
      {"interval", "0"},   {"interval", "soon"}, {"burst-length", "0"}, {"burst-length", "-1ms"}, {"reenable", "1.1"},
      {"reenable", "nan"}, {"reenable", ""},     {"history", "0"},      {"history", "1e3"},       {"collision", "drop"},
      {"jitter", "-0.1"},  {"seed", "-1"},       {"seed", "x"},         {"intervall", "1ms"}};
  for (const auto& [name, value] : wrong) {
    Options options;
    EXPECT_NE(set_scheme_option(options, name, value), "") << name << "=" << value;
    EXPECT_EQ(scheme_json(options), scheme_json({})) << name << "=" << value;
  }
  Options options;
  EXPECT_NE(set_scheme_option(options, "intervall", "1ms").find("did you mean interval?"), std::string::npos);
}

TEST(SchemeOptions, on_the_command_line) {
  std::vector<Sweep> given;
  CLI::App app;
  add_scheme_options(app, given);
  app.parse(std::string("--interval 20ms --burst-length 1ms --reenable 0 --seed 3"));
  EXPECT_EQ(texts(scheme_variants({Kind::kAdaptive}, given)),
            (std::vector<std::string>{"adaptive 1ms every 20ms, reenable 0, seed 3"}));
  CLI::App again;
  add_scheme_options(again, given);
  EXPECT_THROW(again.parse(std::string("--reenable 2")), CLI::ValidationError);
}

TEST(SchemeOptions, text_says_what_matters_to_the_kind) {
  Options options{.jitter = 0, .history = 512, .collision = Collision::kKeep};
  EXPECT_EQ(scheme_text(options), "adaptive 0.2ms every 10ms, reenable 0.05, history 512, collision keep, jitter 0");
  options.kind = Kind::kStatic;
  EXPECT_EQ(scheme_text(options), "burst 0.2ms every 10ms, jitter 0");
  options.kind = Kind::kStackWalk;
  EXPECT_EQ(scheme_text(options), "sample every 10ms, jitter 0");
  options.kind = Kind::kExhaustive;
  EXPECT_EQ(scheme_text(options), "exhaustive");
  EXPECT_EQ(scheme_json(options).dump(), R"({"scheme":"exhaustive"})");
}

TEST(SchemeOptions, of_counter_sampling) {
  Options options = bursar::schemes::usual_options(Kind::kCounter);
  EXPECT_EQ(scheme_text(options), "cbs 8, 2 every 4ms, correct density+latency");
  EXPECT_EQ(scheme_json(options).dump(),
            R"({"scheme":"cbs","interval_ns":4000000,"samples":8,"stride":2,"correct":"density+latency",)"
            R"("lambda_cycles":10000000.0,"alpha":1000.0,"jitter":1.0,"seed":1})")
      << "the paper's lambda is that of its interval";
  for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{
           {"samples", "256"}, {"stride", "7"}, {"lambda", "5e6"}, {"alpha", "100"}}) {
    EXPECT_EQ(set_scheme_option(options, name, value), "");
  }
  EXPECT_EQ(scheme_text(options), "cbs 256, 7 every 4ms, correct density+latency, lambda 5000000, alpha 100");
  EXPECT_EQ(set_scheme_option(options, "correct", "density"), "");
  EXPECT_EQ(scheme_text(options), "cbs 256, 7 every 4ms, correct density") << "what makes a difference";
}

TEST(SchemeOptions, of_counter_sampling_that_are_wrong_get_a_word) {
  for (const auto& [name, value] : std::vector<std::pair<const char*, const char*>>{{"samples", "0"},
                                                                                    {"samples", "many"},
                                                                                    {"stride", "0"},
                                                                                    {"correct", "latency"},
                                                                                    {"correct", ""},
                                                                                    {"lambda", "0"},
                                                                                    {"lambda", "nan"},
                                                                                    {"alpha", "-1"}}) {
    Options options = bursar::schemes::usual_options(Kind::kCounter);
    const auto before = scheme_json(options);
    EXPECT_NE(set_scheme_option(options, name, value), "") << name << "=" << value;
    EXPECT_EQ(scheme_json(options), before) << name << "=" << value;
  }
}

TEST(Sweep, is_a_name_with_values) {
  const Sweep found = sweep("burst-length=0.1,0.2ms,1");
  EXPECT_EQ(found.name, "burst-length");
  EXPECT_EQ(found.values, (std::vector<std::string>{"0.1", "0.2ms", "1"}));
  for (const char* text :
       {"", "reenable", "reenable=", "reenable=0,", "reenable=0,,1", "=1", "slowdown=2", "reenable=2"}) {
    EXPECT_FALSE(parse_sweep(text).ok()) << text;
  }
}

TEST(Variants, are_every_kind_with_every_combination) {
  EXPECT_EQ(
      texts(scheme_variants({Kind::kAdaptive}, {sweep("burst-length=0.1,0.2"), sweep("reenable=0,1")})),
      (std::vector<std::string>{"adaptive 0.1ms every 10ms, reenable 0", "adaptive 0.1ms every 10ms, reenable 1",
                                "adaptive 0.2ms every 10ms, reenable 0", "adaptive 0.2ms every 10ms, reenable 1"}));
}

TEST(Variants, are_there_once_where_a_value_makes_no_difference) {
  EXPECT_EQ(texts(scheme_variants({Kind::kExhaustive, Kind::kStackWalk, Kind::kStatic, Kind::kStatic},
                                  {sweep("reenable=0,0.5,1"), sweep("interval=5,10,10")})),
            (std::vector<std::string>{"exhaustive", "sample every 5ms", "sample every 10ms", "burst 0.2ms every 5ms",
                                      "burst 0.2ms every 10ms"}));
}

TEST(Variants, of_corrections_are_there_once_where_lambda_makes_no_difference) {
  EXPECT_EQ(texts(scheme_variants({Kind::kCounter},
                                  {sweep("lambda=1e6,1e7"), sweep("correct=none,density,density+latency")})),
            (std::vector<std::string>{"cbs 8, 2 every 4ms, correct none", "cbs 8, 2 every 4ms, correct density",
                                      "cbs 8, 2 every 4ms, correct density+latency, lambda 1000000",
                                      "cbs 8, 2 every 4ms, correct density+latency, lambda 10000000"}));
}

TEST(Variants, have_their_own_kinds_interval_unless_one_is_given) {
  EXPECT_EQ(texts(scheme_variants({Kind::kStackWalk, Kind::kCounter}, {})),
            (std::vector<std::string>{"sample every 10ms", "cbs 8, 2 every 4ms, correct density+latency"}));
  EXPECT_EQ(texts(scheme_variants({Kind::kStackWalk, Kind::kCounter}, {sweep("interval=5")})),
            (std::vector<std::string>{"sample every 5ms", "cbs 8, 2 every 5ms, correct density+latency"}));
}

}  // namespace
