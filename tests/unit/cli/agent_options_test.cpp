#include "cli/agent_options.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <map>
#include <random>

namespace {

using bursar::cli::AgentOptions;
using bursar::cli::command_line;
using bursar::cli::pattern_problem;
using bursar::cli::shell_quoted;

std::string decoded(std::string_view value) {
  std::string out;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '%') {
      out += value[i];
      continue;
    }
    out += static_cast<char>(std::stoi(std::string(value.substr(i + 1, 2)), nullptr, 16));
    i += 2;
  }
  return out;
}

std::multimap<std::string, std::string> pairs_of(std::string_view text) {
  std::multimap<std::string, std::string> pairs;
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    const std::size_t equals = pair.find('=');
    pairs.emplace(pair.substr(0, equals), decoded(pair.substr(equals + 1)));
  }
  return pairs;
}

std::string random_text(std::mt19937& random, std::string_view alphabet) {
  std::string text(random() % 12, ' ');
  for (char& c : text) c = alphabet[random() % alphabet.size()];
  return text;
}

TEST(AgentOptions, says_only_what_was_asked_for) {
  EXPECT_EQ((AgentOptions{.mode = "exact", .output = "/a/b.bursar"}.text()), "mode=exact,output=/a/b.bursar");
  const AgentOptions all{.mode = "exact",
                         .output = "/o",
                         .call_sites = true,
                         .max_contexts = 1000,
                         .max_size = 65536,
                         .skip_ms = 5000,
                         .include = {"a.*", "b.C"},
                         .exclude = {"a.d.*"},
                         .status = "/tmp/s",
                         .command = "java A"};
  EXPECT_EQ(all.text(),
            "mode=exact,output=/"
            "o,call_sites=1,max_contexts=1000,max_size=65536,skip_ms=5000,include=a.*,include=b.C,exclude=a.d.*,"
            "status=/tmp/s,command=java A");
}

TEST(AgentOptions, says_how_to_sample_and_what_attach_wants) {
  const AgentOptions options{.mode = "sample", .interval_ns = 2'000'000, .seed = 7, .action = "start", .status = "/s"};
  EXPECT_EQ(options.text(), "mode=sample,action=start,interval_ns=2000000,seed=7,status=/s");
}

TEST(AgentOptions, encodes_what_separates) {
  EXPECT_EQ((AgentOptions{.mode = "exact", .output = "/run=1,2/100%/%p.bursar"}.text()),
            "mode=exact,output=/run%3D1%2C2/100%25/%25p.bursar");
}

TEST(AgentOptions, random_values_come_back) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto text = [&random] { return "x" + random_text(random, ",=%p2C5 'a\n\"/"); };
    const AgentOptions options{
        .mode = "exact", .output = text(), .include = {text(), text()}, .status = text(), .command = text()};
    std::multimap<std::string, std::string> expected = {{"mode", "exact"},
                                                        {"output", options.output},
                                                        {"include", options.include[0]},
                                                        {"include", options.include[1]},
                                                        {"status", options.status},
                                                        {"command", options.command}};
    ASSERT_EQ(pairs_of(options.text()), expected);
  }
}

TEST(Pattern, packages_classes_and_methods_are_fine) {
  for (const char* pattern :
       {"java.util.*", "com.acme.Foo", "com.acme.Foo.bar", "com.acme.Foo$Bar", "Foo", "*", "*Service.handle", "a.*.b",
        "java.util.Hash*", "a.B.<init>", "a.B.<clinit>", "a.B$$Lambda.run", "straße.Größe"}) {
    EXPECT_EQ(pattern_problem(pattern), "") << pattern;
  }
}

TEST(Pattern, anything_else_gets_a_word) {
  for (const char* pattern :
       {"", ".", "a.", ".a", "a..b", "a b", "a.b()", "a.<init>.b", "a.B:c", "a\tb", "[a", "<x>"}) {
    EXPECT_NE(pattern_problem(pattern).find("is not a pattern"), std::string::npos) << pattern;
  }
  EXPECT_NE(pattern_problem("java/util/*").find("slashes"), std::string::npos);
  EXPECT_NE(pattern_problem("a.*,b.*").find("once for each"), std::string::npos);
}

TEST(ShellQuoted, leaves_plain_words_alone) {
  EXPECT_EQ(shell_quoted("-Dkey=a/b.c,d:e@f%g+h_1"), "-Dkey=a/b.c,d:e@f%g+h_1");
  EXPECT_EQ(shell_quoted(""), "''");
  EXPECT_EQ(shell_quoted("a b"), "'a b'");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
}

TEST(ShellQuoted, a_shell_reads_random_words_as_they_were) {
  std::mt19937 random(11);
  std::vector<std::string> words;
  std::string expected;
  for (int i = 0; i < 500; ++i) {
    words.push_back(random_text(random, "ab '\"\\$`*?~#;&|<>(){}!\n-\xc3\xa4"));
    expected += words.back() + '\0';
  }
  const std::string command = "printf '%s\\0' " + command_line(words, 1 << 20);
  std::FILE* shell = popen(command.c_str(), "r");
  ASSERT_NE(shell, nullptr);
  std::string printed;
  std::array<char, 4096> piece{};
  while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), shell)) printed.append(piece.data(), size);
  EXPECT_EQ(pclose(shell), 0);
  EXPECT_EQ(printed, expected);
}

TEST(CommandLine, is_cut_between_characters) {
  EXPECT_EQ(command_line({"java", "A b"}, 10), "java 'A b'");
  EXPECT_EQ(command_line({"java", "A b"}, 9), "java '…");
  // Each ä takes two bytes, the dots three: of ten bytes seven are left, and the third ä would not fit.
  EXPECT_EQ(command_line({"x", "ääääääää"}, 10), "x 'ää…");
  for (std::size_t size = 3; size < 40; ++size) EXPECT_LE(command_line({"x", "ääää ääää", "yyy"}, size).size(), size);
}

}  // namespace
