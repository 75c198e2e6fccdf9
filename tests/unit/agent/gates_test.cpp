#include "agent/gates.h"

#include <gtest/gtest.h>

#include "built_class.h"
#include "classfile/control_flow.h"
#include "classfile/stack_map.h"

namespace bursar::agent {
namespace {

class GatesTest : public testing::Test {
 protected:
  template <class Ask>
  static auto ask(ClassBuilder builder, const CodeBuilder& code, Ask&& ask) {
    builder.method(kPublic | kStatic, "run", "()V", code);
    const ByteVector bytes = builder.build();
    const auto file = classfile::ClassFile::parse(bytes).value();
    const classfile::Member& member = file.methods.at(0);
    const auto parsed = classfile::CodeAttribute::parse(member.attributes.at(0).data, file.pool).value();
    const auto flow = classfile::ControlFlow::of(parsed);
    return ask(classfile::MethodView{.class_name = file.name(),
                                     .name = file.member_name(member),
                                     .descriptor = file.member_descriptor(member),
                                     .access = member.access,
                                     .file = file,
                                     .member = member,
                                     .code = parsed,
                                     .flow = *flow});
  }
  std::vector<Gates::Call> calls(const ClassBuilder& builder, const CodeBuilder& code) {
    return ask(builder, code, [this](const classfile::MethodView& method) { return gates.calls(method); });
  }
  bool end_code(const ClassBuilder& builder, const CodeBuilder& code) {
    return ask(builder, code, [this](const classfile::MethodView& method) { return gates.end_code(method); });
  }
  // call; for (;;) { call; if (…) for (;;) call; }
  static CodeBuilder loops(ClassBuilder& builder) {
    const auto f = builder.method_ref("B", "f", "()I");
    CodeBuilder code;
    code.op2(op::kInvokestatic, f);
    code.op(op::kPop);
    const auto outer = code.here();  // 4
    code.op2(op::kInvokestatic, f);
    code.jump(op::kIfeq, outer);
    const auto inner = code.here();  // 10
    code.op2(op::kInvokestatic, f);
    code.jump(op::kIfeq, inner);
    code.jump(op::kGoto, outer);
    return code;
  }

  Gates gates;
};

TEST_F(GatesTest, are_loops_that_call_something) {
  ClassBuilder builder = class_named("A");
  const auto found = calls(builder, loops(builder));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pc, 4U);
  EXPECT_EQ(found[0].loops, (std::vector<std::uint32_t>{4}));
  EXPECT_EQ(found[1].pc, 10U);
  EXPECT_EQ(found[1].loops, (std::vector<std::uint32_t>{10, 4})) << "from the inside out";
  EXPECT_FALSE(found[0].is_gate);
}

TEST_F(GatesTest, are_calls_of_a_method_by_itself_but_not_behind_another_one) {
  ClassBuilder builder = class_named("A");
  const auto self = builder.method_ref("A", "run", "()V");
  CodeBuilder code;
  code.op2(op::kInvokestatic, builder.method_ref("A", "run", "(I)V"));  // 0
  code.op2(op::kInvokestatic, self);                                    // 3
  code.op2(op::kInvokestatic, builder.method_ref("B", "run", "()V"));
  code.op2(op::kInvokestatic, self);
  code.op(op::kReturn);
  const auto found = calls(builder, code);
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].pc, 3U);
  EXPECT_TRUE(found[0].is_gate);
  EXPECT_FALSE(found[0].follows);
  for (const std::size_t behind : {1U, 2U}) {
    EXPECT_FALSE(found[behind].is_gate);
    EXPECT_TRUE(found[behind].follows);
  }
}

TEST_F(GatesTest, are_in_both_arms_of_a_branch) {
  ClassBuilder builder = class_named("A");
  const auto self = builder.method_ref("A", "run", "()V");
  CodeBuilder code;
  const auto other = code.label();
  code.op(op::kIconst0);
  code.jump(op::kIfeq, other);
  code.op2(op::kInvokestatic, self);
  code.op(op::kReturn);
  code.bind(other);
  code.op2(op::kInvokestatic, self);
  code.op(op::kReturn);
  const auto found = calls(builder, code);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].is_gate);
  EXPECT_TRUE(found[1].is_gate);
}

TEST_F(GatesTest, are_not_where_everybody_calls) {
  for (const char* name : {"java/lang/X", "java/util/X", "java/io/X"}) {
    ClassBuilder builder = class_named(name);
    EXPECT_TRUE(calls(builder, loops(builder)).empty()) << name;
  }
  ClassBuilder builder = class_named("java/util/zip/X");
  EXPECT_FALSE(calls(builder, loops(builder)).empty());
}

TEST_F(GatesTest, are_where_the_library_calls_back) {
  const auto found_in = [this](const char* name, const char* callee) {
    ClassBuilder builder = class_named(name);
    const auto f = builder.method_ref("B", "f", "()I");
    const auto back = builder.method_ref(callee, "g", "()I");
    CodeBuilder code;
    const auto outer = code.here();  // 0
    code.op2(op::kInvokestatic, f);
    code.jump(op::kIfeq, outer);
    const auto loop = code.here();  // 6
    code.op2(op::kInvokestatic, f);
    code.op(op::kPop);
    code.op2(op::kInvokestatic, back);
    code.jump(op::kIfeq, loop);
    code.op(op::kReturn);
    return calls(builder, code);
  };
  const auto found = found_in("java/util/ArrayList", "java/util/function/Consumer");
  ASSERT_EQ(found.size(), 2U) << "of that loop alone, but all calls in it";
  EXPECT_EQ(found[0].pc, 6U);
  EXPECT_EQ(found[1].pc, 10U);
  EXPECT_EQ(found[1].loops, (std::vector<std::uint32_t>{6}));
  EXPECT_FALSE(found_in("java/lang/Iterable", "java/util/function/Consumer").empty());
  EXPECT_FALSE(found_in("java/util/TimSort", "java/util/Comparator").empty());
  EXPECT_TRUE(found_in("java/util/TreeMap", "java/util/Comparator").empty());
}

TEST_F(GatesTest, that_are_named_are_the_only_ones) {
  gates.name("A.run");
  ClassBuilder builder = class_named("A");
  const auto found = calls(builder, loops(builder));
  ASSERT_EQ(found.size(), 3U);
  EXPECT_TRUE(found[0].is_gate);
  ClassBuilder other = class_named("B");
  EXPECT_TRUE(calls(other, loops(other)).empty());
}

TEST_F(GatesTest, end_code_where_loops_find_nothing_on_the_stack) {
  ClassBuilder builder = class_named("A");
  CodeBuilder empty = loops(builder), full;
  empty.attributes.push_back({"StackMapTable", {0, 2, 4, 5}});  // nothing at 4, nor at 4 + 5 + 1
  full.op(op::kIconst0);
  const auto loop = full.here();  // 1
  full.op2(op::kInvokestatic, builder.method_ref("B", "f", "()I"));
  full.jump(op::kIfeq, loop);
  full.op(op::kPop);
  full.op(op::kReturn);
  full.attributes.push_back({"StackMapTable", {0, 1, 64 + 1, classfile::VerificationType::kInteger}});
  EXPECT_FALSE(end_code(builder, empty)) << "not in every VM";
  gates.let_code_end();
  EXPECT_TRUE(end_code(builder, empty));
  EXPECT_FALSE(end_code(builder, full));
  full.attributes.back().bytes[1] = 2;
  EXPECT_FALSE(end_code(builder, full)) << "malformed";
}

TEST_F(GatesTest, keep_their_number) {
  EXPECT_EQ(gates.number(7, 3), 0U);
  EXPECT_EQ(gates.number(7, 9), 1U);
  EXPECT_EQ(gates.number(8, 3), 2U);
  EXPECT_EQ(gates.number(7, 9), 1U);
  EXPECT_EQ(gates.method_of(2), 8U);
}

}  // namespace
}  // namespace bursar::agent
