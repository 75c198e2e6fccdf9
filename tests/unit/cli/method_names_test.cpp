#include "cli/method_names.h"

#include <gtest/gtest.h>

namespace {

using bursar::cli::MethodNames;
using bursar::cli::parameter_list;
using bursar::profile::MethodKind;
using bursar::profile::ProfileData;

TEST(MethodNames, parameters_are_written_as_in_the_source) {
  EXPECT_EQ(parameter_list("()V"), "()");
  EXPECT_EQ(parameter_list("(Ljava/lang/String;[I[[Ljava/util/Map$Entry;J)V"), "(String, int[], Map$Entry[][], long)");
}

TEST(MethodNames, what_is_no_descriptor_is_left_alone) {
  for (const char* text : {"", "I", "(", "(Q)V", "(Ljava/lang/String)V", "([)V", "(I"}) {
    EXPECT_EQ(parameter_list(text), text);
  }
}

TEST(MethodNames, only_overloads_show_their_parameters) {
  ProfileData data;
  data.methods = {
      {"a.b.C", "f", "(I)V"}, {"a.b.C", "f", "(J)V"}, {"a.b.C", "g", "()V"}, {"", "read", "", MethodKind::kNative}};
  const MethodNames names(data);
  EXPECT_EQ(names.full(0), "a.b.C.f(int)");
  EXPECT_EQ(names.full(1), "a.b.C.f(long)");
  EXPECT_EQ(names.full(2), "a.b.C.g");
  EXPECT_EQ(names.full(3), "read");
  EXPECT_EQ(names.brief(0), "C.f(int)");
  EXPECT_EQ(names.brief(3), "read");
}

TEST(MethodNames, a_hidden_class_keeps_its_address_and_loses_only_its_package) {
  ProfileData data;
  data.methods = {{"a.b.C$$Lambda/0x0.1", "run", ""}, {"Top\x1b", "m", ""}};
  const MethodNames names(data);
  EXPECT_EQ(names.brief(0), "C$$Lambda/0x0.1.run");
  EXPECT_EQ(names.full(1), "Top\\x1b.m");
}

}  // namespace
