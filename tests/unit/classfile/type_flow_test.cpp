#include "classfile/type_flow.h"

#include <gtest/gtest.h>

#include "built_method.h"

namespace bursar::classfile {
namespace {

using enum VerificationType::Tag;

// What types_around() says of the calls in a method, as text: a word for each entry.
class TypeFlowTest : public testing::Test {
 protected:
  void build(const CodeBuilder& code, std::string_view descriptor, std::vector<Frame> frames = {}) {
    method.emplace(code, MethodHead{.descriptor = descriptor}, builder);
    StackMap map = StackMap::initial(descriptor, true, false, method->file.this_class).value();
    map.frames = std::move(frames);
    std::vector<std::uint32_t> invokes;
    for (std::uint32_t i = 0; i < method->instructions().size(); ++i) {
      if (is_invoke(method->instructions()[i].opcode)) invokes.push_back(i);
    }
    found = types_around(method->file, method->code, map, map.initial_locals(), {}, invokes, method->file.pool);
    written_pool = method->file.write();
    parsed.emplace(ClassFile::parse(written_pool).value());
  }
  std::string text(const Types& types) const {
    std::string all;
    for (const VerificationType& type : types) {
      all += all.empty() ? "" : " ";
      switch (type.tag) {
        case kTop:
          all += "-";
          break;
        case kInteger:
          all += "I";
          break;
        case kFloat:
          all += "F";
          break;
        case kDouble:
          all += "D";
          break;
        case kLong:
          all += "J";
          break;
        case kNull:
          all += "null";
          break;
        case kObject:
          all += parsed->pool.class_name(type.data).value_or("?");
          break;
        case kUninitialized:
          all += "new@" + std::to_string(type.data);
          break;
        case kParameter:
          all += "parameter" + std::to_string(type.data);
          break;
        case kUninitializedThis:
          all += "this";
          break;
      }
    }
    return all;
  }
  std::string before(std::size_t i) const { return text(found->at(i).before.stack); }
  std::string behind(std::size_t i) const { return text(found->at(i).behind.stack); }

  ClassBuilder builder;
  std::optional<BuiltMethod> method;
  std::optional<std::vector<CallFrames>> found;
  ByteVector written_pool;
  std::optional<ClassFile> parsed;
};

TEST_F(TypeFlowTest, follows_arguments_and_results) {
  CodeBuilder code;
  code.op(op::kAload0);
  code.op(op::kLload0 + 1);
  code.op2(op::kInvokestatic, builder.method_ref("B", "f", "(J)[[Ljava/lang/String;"));
  code.op(op::kIconst0);
  code.op(0x32);  // aaload
  code.op2(op::kInvokestatic, builder.method_ref("B", "g", "()D"));
  code.op2(op::kInvokestatic, builder.method_ref("B", "h", "(Ljava/lang/Object;Ljava/lang/Object;D)V"));
  code.op(op::kReturn);
  build(code, "(LA;J)V");
  ASSERT_TRUE(found);
  EXPECT_EQ(before(0), "parameter0 J");
  EXPECT_EQ(behind(0), "parameter0 [[Ljava/lang/String;");
  EXPECT_EQ(before(1), "parameter0 [Ljava/lang/String;");
  EXPECT_EQ(behind(1), "parameter0 [Ljava/lang/String; D");
  EXPECT_EQ(behind(2), "");
}

TEST_F(TypeFlowTest, knows_what_locals_hold) {
  CodeBuilder code;
  code.op(op::kLconst0);
  code.op1(op::kLstore, 4);
  code.op2(op::kInvokestatic, builder.method_ref("B", "f", "()V"));
  code.op(op::kIconst0);
  code.op1(op::kIstore, 5);  // half of the long is gone
  code.op2(op::kInvokestatic, builder.method_ref("B", "f", "()V"));
  code.op(op::kReturn);
  build(code, "(I)V");
  ASSERT_TRUE(found);
  EXPECT_EQ(text(found->at(0).before.locals), "I - - - J");
  EXPECT_EQ(text(found->at(1).before.locals), "I - - - - I");
}

TEST_F(TypeFlowTest, knows_when_an_object_is_one) {
  CodeBuilder code;
  code.op(op::kNop);
  code.op2(op::kNew, builder.cls("A"));
  code.op(op::kDup);
  code.op(op::kDup);
  code.op1(op::kAstore, 2);
  code.op2(op::kInvokespecial, builder.method_ref("A", "<init>", "()V"));
  code.op(op::kPop);
  code.op(op::kReturn);
  build(code, "()V");
  ASSERT_TRUE(found);
  EXPECT_EQ(before(0), "new@1 new@1");
  EXPECT_EQ(text(found->at(0).before.locals), "- - new@1");
  EXPECT_EQ(behind(0), "A");
  EXPECT_EQ(text(found->at(0).behind.locals), "- - A");
}

TEST_F(TypeFlowTest, moves_halves_as_the_machine_does) {
  CodeBuilder code;
  code.op(op::kFconst0);
  code.op(op::kLconst0);
  code.op(0x5d);  // dup2_x1
  code.op2(op::kInvokestatic, builder.method_ref("B", "f", "()V"));
  code.op(op::kPop2);
  code.op(op::kAconstNull);
  code.op(op::kSwap);
  code.op2(op::kInvokestatic, builder.method_ref("B", "f", "()V"));
  code.op(op::kReturn);
  build(code, "()V");
  ASSERT_TRUE(found);
  EXPECT_EQ(before(0), "J F J");
  EXPECT_EQ(before(1), "J null F");
}

TEST_F(TypeFlowTest, begins_anew_at_frames) {
  CodeBuilder code;
  const auto end = code.label();
  code.jump(op::kGoto, end);
  code.bind(end);
  code.op2(op::kInvokestatic, builder.method_ref("B", "f", "(I)V"));
  code.op(op::kReturn);
  build(code, "()V", {{.position = 3, .locals = {{kFloat}}, .stack = {{kInteger}}}});
  ASSERT_TRUE(found);
  EXPECT_EQ(before(0), "I");
  EXPECT_EQ(text(found->at(0).before.locals), "F");
  build(code, "()V");
  EXPECT_FALSE(found) << "what follows a jump has a frame";
}

TEST_F(TypeFlowTest, gives_up_where_the_stack_is_too_small) {
  CodeBuilder code;
  code.op(op::kIconst0);
  code.op2(op::kInvokestatic, builder.method_ref("B", "f", "(J)V"));
  code.op(op::kReturn);
  build(code, "()V");
  EXPECT_FALSE(found);
}

}  // namespace
}  // namespace bursar::classfile
