#include "export/method_pattern.h"

#include <gtest/gtest.h>

namespace bursar::exports {
namespace {

TEST(MethodPattern, is_class_name_and_descriptor_as_hotspot_writes_them) {
  EXPECT_EQ(method_pattern({"com.acme.Shop", "serve", "(I)V"}), "com/acme/Shop.serve(I)V");
  EXPECT_EQ(method_pattern({"com.acme.Cart$Item", "<init>", "(Ljava/lang/String;[I)V"}),
            "com/acme/Cart$Item.<init>(Ljava/lang/String;[I)V");
  EXPECT_EQ(method_pattern({"Main", "lambda$main$0", ""}), "Main.lambda$main$0") << "no descriptor: all overloads";
}

TEST(MethodPattern, there_is_none_that_hotspot_would_stumble_over) {
  for (const profile::Method& method : {profile::Method{"a.B", "with blank", "()V"},
                                        {"a.B", "a\"b", "()V"},
                                        {"a.B", "a,b", "()V"},
                                        {"a.B", "a*b", "()V"},
                                        {"a.B", "<other>", "()V"},
                                        {"a.B", "\xf0\x9f\x98\x80", "()V"},
                                        {"", "[vm]", ""},
                                        {"a.B", "", "()V"},
                                        {std::string(256, 'a'), "m", "()V"},
                                        {"a.B", std::string(256, 'm'), "()V"},
                                        {"a.B", "m", "(L" + std::string(1000, 'x') + ";)V"}}) {
    EXPECT_EQ(method_pattern(method), std::nullopt) << method.class_name << "." << method.name;
  }
}

TEST(MethodPattern, hides_names_that_hotspot_takes_for_words_of_its_own) {
  EXPECT_EQ(method_pattern({"a.B", "print", "(I)V"}), "a/B.*rint(I)V");
  EXPECT_EQ(method_pattern({"a.B", "LOG", "()V"}), "a/B.*OG()V");
  EXPECT_EQ(method_pattern({"a.B", "print", ""}), "a/B.print") << "no descriptor, no trouble";
  EXPECT_EQ(method_pattern({"a.B", "println", "()V"}), "a/B.println()V");
  EXPECT_EQ(method_pattern({"a.print", "b", "()V"}), "a/print.b()V");
}

}  // namespace
}  // namespace bursar::exports
