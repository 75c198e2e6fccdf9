#include "export/frame_name.h"

#include <gtest/gtest.h>

#include <random>

namespace {

using bursar::exports::escape;
using bursar::exports::frame_name;
using bursar::exports::parse_frame;
using bursar::exports::unescape;
using bursar::profile::Method;
using bursar::profile::MethodKind;

Method java(std::string class_name, std::string name) {
  return {std::move(class_name), std::move(name), "", MethodKind::kJava};
}
Method native(std::string name) {
  return {"", std::move(name), "", MethodKind::kNative};
}
Method pseudo(std::string name) {
  return {"", std::move(name), "", MethodKind::kPseudo};
}

TEST(FrameName, splits_at_the_last_dot) {
  EXPECT_EQ(parse_frame("com.acme.Main.main"), java("com.acme.Main", "main"));
  EXPECT_EQ(parse_frame("java.lang.Object.<init>"), java("java.lang.Object", "<init>"));
  EXPECT_EQ(parse_frame("Main.lambda$main$0"), java("Main", "lambda$main$0"));
  EXPECT_EQ(parse_frame("a.B$C.should work"), java("a.B$C", "should work"));
}

TEST(FrameName, accepts_internal_names_and_drops_the_address_of_a_hidden_class) {
  EXPECT_EQ(parse_frame("java/util/Map$Entry.getKey"), java("java.util.Map$Entry", "getKey"));
  EXPECT_EQ(parse_frame("a/B$$Lambda$3/0x00ff.run"), java("a.B$$Lambda", "run"));
  EXPECT_EQ(parse_frame("a/B$$Lambda.0x00ff.run"), java("a.B$$Lambda", "run"));
}

TEST(FrameName, drops_suffixes_for_the_kind_of_frame) {
  for (const char* suffix : {"_[j]", "_[i]", "_[k]", "_[0]", "_[1]"}) {
    EXPECT_EQ(parse_frame(std::string("a.B.c") + suffix), java("a.B", "c")) << suffix;
  }
  EXPECT_EQ(parse_frame("do_syscall_64_[k]"), native("do_syscall_64"));
  EXPECT_EQ(parse_frame("_[k]"), native("_[k]")) << "a frame never becomes empty";
  EXPECT_EQ(parse_frame("a.B.c_[z]"), java("a.B", "c_[z]")) << "not a known suffix";
}

TEST(FrameName, takes_frames_that_are_not_java_whole) {
  EXPECT_EQ(parse_frame("[unknown]"), pseudo("[unknown]"));
  EXPECT_EQ(parse_frame("[libc.so.6]"), pseudo("[libc.so.6]"));
  EXPECT_EQ(parse_frame("start_thread"), native("start_thread"));
  EXPECT_EQ(parse_frame("/usr/lib/libz.so"), native("/usr/lib/libz.so"));
  EXPECT_EQ(parse_frame("JavaThread::run() [clone .cold]"), native("JavaThread::run() [clone .cold]"));
  EXPECT_EQ(parse_frame(".hidden"), native(".hidden"));
  EXPECT_EQ(parse_frame("ends."), native("ends."));
  EXPECT_EQ(parse_frame("[overflow]").kind, MethodKind::kOverflow);
}

TEST(FrameName, names_every_method) {
  EXPECT_EQ(frame_name(java("a.B", "c")), "a.B.c");
  EXPECT_EQ(frame_name(native("read")), "read");
  EXPECT_EQ(frame_name(pseudo("")), "[unknown]");
  EXPECT_EQ(frame_name({"", "", "", MethodKind::kOverflow}), "[overflow]");
}

TEST(FrameName, escapes_what_would_end_a_frame_or_a_line) {
  EXPECT_EQ(escape("a;b\nc\td\x7f"), "a\\x3bb\\x0ac\\x09d\\x7f");
  EXPECT_EQ(unescape("a\\x3bb\\x0ac"), "a;b\nc");
  EXPECT_EQ(escape("C:\\tmp \\x41"), "C:\\tmp \\x41") << "a backslash that reads as nothing stays";
  EXPECT_EQ(escape("\\x3b"), "\\x5cx3b");
  EXPECT_EQ(escape("\\x5cx3b"), "\\x5cx5cx3b");
  EXPECT_EQ(unescape("\\x5cb"), "\\x5cb");
}

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> kPieces = {"\\",   "x",    "5c", "3b", "0a", ";",        "\n",
                                                   "x5c",  "x3b",  ".",  "/",  "0x", "[",        "]",
                                                   "_[j]", "_[k]", "::", "(",  "a",  "\xc3\xa9", " "};
  std::string text;
  for (std::size_t i = random() % 8 + 1; i-- > 0;) text += kPieces[random() % kPieces.size()];
  return text;
}

TEST(FrameName, unescaping_undoes_escaping) {
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const std::string name = random_text(random);
    const std::string text = escape(name);
    ASSERT_EQ(text.find_first_of(";\n"), std::string::npos) << text;
    ASSERT_EQ(unescape(text), name);
  }
}

TEST(FrameName, text_that_has_nothing_to_escape_is_a_name_of_itself_under_both) {
  std::mt19937 random(2);
  for (int i = 0; i < 200'000; ++i) {
    std::string text = random_text(random);
    std::erase_if(text, [](char c) { return c == ';' || c == '\n'; });
    ASSERT_EQ(escape(unescape(text)), text);
  }
}

TEST(FrameName, parsing_is_stable) {
  std::mt19937 random(3);
  for (int i = 0; i < 200'000; ++i) {
    const Method method = parse_frame(random_text(random));
    ASSERT_EQ(parse_frame(frame_name(method)), method) << frame_name(method);
  }
}

}  // namespace
