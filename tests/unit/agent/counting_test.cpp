// What came to light when filters, method handles and conditional receivers met: each was wrong once.
#include <gtest/gtest.h>

#include "agent/agent_options.h"
#include "unit/agent/listing.h"
namespace bursar::agent {
namespace {
using core::CallKind;
std::string named(Rewriting& r, core::MethodId id) {
  return id == core::kNoMethod ? "nothing" : r.methods[id].class_name + "." + r.methods[id].name;
}
TEST(Counting, members_stay_hidden_whatever_is_included) {
  Rewriting r{Filter({"com.acme.*"}, {})};
  ClassBuilder reflection = class_named("jdk/internal/reflect/Reflection");
  CodeBuilder code;
  code.op(op::kAload0 + 1);
  code.op(op::kReturn - 1);
  reflection.method(kStatic, "filterFields", "(Ljava/lang/Class;[Ljava/lang/reflect/Field;)[Ljava/lang/reflect/Field;",
                    code);
  EXPECT_FALSE(r.rewrite(reflection).empty());
}
TEST(Counting, an_override_that_is_not_wanted_is_not_counted_as_what_it_overrides) {
  Rewriting r{Filter({}, {"B"})};
  ClassBuilder a = class_named("A");
  a.method(kPublic, "run", "()V", just_return());
  r.rewrite(a);
  ClassBuilder b = class_named("B", "A");
  b.method(kPublic, "run", "()V", just_return());
  r.rewrite(b);
  EXPECT_EQ(named(r, r.registry.uncounted(
                         {.kind = CallKind::kVirtual, .class_name = "A", .name = "run", .descriptor = "()V"}, "", "")),
            "nothing");
}
TEST(Counting, a_method_handles_target_that_is_not_wanted_is_not_counted) {
  Rewriting r{Filter({}, {"B"})};
  ClassBuilder b = class_named("B");
  b.method(kStatic, "run", "()V", just_return());
  r.rewrite(b);
  EXPECT_EQ(named(r, r.registry.uncounted({.kind = CallKind::kLinkTo,
                                           .class_name = "java/lang/invoke/MethodHandle",
                                           .name = "linkToStatic",
                                           .descriptor = "(Ljava/lang/invoke/MemberName;)V"},
                                          "B", "run")),
            "nothing");
}
TEST(Counting, the_constructor_of_object_is_counted_behind_a_method_handle) {
  Rewriting r;
  ClassBuilder o = class_named("java/lang/Object", "");
  o.method(kPublic, "<init>", "()V", just_return());
  r.rewrite(o);
  EXPECT_EQ(named(r, r.registry.uncounted({.kind = CallKind::kLinkTo,
                                           .class_name = "java/lang/invoke/MethodHandle",
                                           .name = "linkToSpecial",
                                           .descriptor = "(Ljava/lang/Object;Ljava/lang/invoke/MemberName;)V"},
                                          "java/lang/Object", "<init>")),
            "java/lang/Object.<init>");
}
TEST(Counting, a_receiver_that_came_by_two_ways_may_be_null) {
  Rewriting r;
  ClassBuilder n = class_named("N");
  n.method(kFinal | kNative, "on", "()V");
  r.rewrite(n);
  ClassBuilder a = class_named("A");
  a.version = 49;
  CodeBuilder code;
  const auto other = code.label(), behind = code.label();
  code.op(op::kIconst0);
  code.jump(op::kIfeq, other);
  code.op(op::kAconstNull);
  code.jump(op::kGoto, behind);
  code.bind(other);
  code.op(op::kAload0);
  code.bind(behind);
  code.op2(op::kInvokevirtual, a.method_ref("N", "on", "()V"));
  code.op(op::kReturn);
  a.method(kPublic, "run", "()V", code);
  const auto text = r.listing(a, "run", "()V");
  EXPECT_NE(text.find("callUnprobedOn"), std::string::npos) << text;
}
TEST(Counting, more_contexts_than_a_profile_can_number_are_refused) {
  EXPECT_FALSE(parse_agent_options("max_contexts=18446744073709551615").ok());
  EXPECT_TRUE(parse_agent_options("max_contexts=4000000000").ok());
}

}  // namespace
}  // namespace bursar::agent
