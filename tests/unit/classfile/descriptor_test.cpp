#include "classfile/descriptor.h"

#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

namespace bursar::classfile {
namespace {

TEST(Descriptor, is_cut_into_field_types) {
  std::string_view text = "I[[DLjava/lang/String;[La;J";
  std::vector<std::string_view> types;
  while (const auto type = take_field_type(text)) types.push_back(*type);
  EXPECT_EQ(types, (std::vector<std::string_view>{"I", "[[D", "Ljava/lang/String;", "[La;", "J"}));
  EXPECT_TRUE(text.empty());
}

TEST(Descriptor, counts_longs_and_doubles_twice) {
  const std::vector<std::tuple<const char*, unsigned, unsigned>> cases = {
      {"()V", 0, 0},     {"(IJLjava/lang/String;[[D)V", 5, 0}, {"(DD)J", 4, 2}, {"([J)[D", 1, 1}, {"(BCFSZ)Z", 5, 1},
      {"()La/B;", 0, 1},
  };
  for (const auto& [text, arguments, result] : cases) {
    const auto shape = call_shape(text);
    ASSERT_TRUE(shape) << text;
    EXPECT_EQ(shape->argument_slots, arguments) << text;
    EXPECT_EQ(shape->result_slots, result) << text;
  }
}

TEST(Descriptor, malformed_ones_have_no_shape) {
  for (const char* text : {"", "V", "(", "()", "(V)V", "(I", "(I)", "(Q)V", "(Labc)V", "([)V", "()VV", "()II", "I)V",
                           "(I)L", "()[", "()[V", "(L"}) {
    EXPECT_FALSE(call_shape(text)) << text;
  }
}

TEST(Descriptor, an_array_has_at_most_255_dimensions) {
  EXPECT_TRUE(call_shape("(" + std::string(255, '[') + "I)V"));
  EXPECT_FALSE(call_shape("(" + std::string(256, '[') + "I)V"));
}

}  // namespace
}  // namespace bursar::classfile
