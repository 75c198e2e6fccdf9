#include "classfile/copied_code.h"

#include <gtest/gtest.h>

#include "class_builder.h"
#include "classfile/code_attribute.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {
namespace {

constexpr unsigned kPublicStatic = 0x0009;

// One class gives, another takes.
struct CopiedCode : testing::Test {
  CopiedCode() {
    giver.name = "Giver";
    taker.name = "Taker";
    taker.utf8("so that indices differ");
  }

  // The code of the giver's only method in the taker; nothing if it was not copied.
  std::optional<CodeAttribute> copy(const CodeBuilder& code, const char* descriptor = "()V") {
    giver.method(kPublicStatic, "run", descriptor, code);
    given = giver.build();
    taken = taker.build();
    from = ClassFile::parse(given).value();
    to = ClassFile::parse(taken).value();
    auto attribute = copy_code(from, from.methods[0], to);
    if (!attribute) return std::nullopt;
    copied = *std::move(attribute);
    // As a JVM would find it: in a class that was written.
    written = to.write();
    to = ClassFile::parse(written).value();
    return CodeAttribute::parse(copied, to.pool).value();
  }
  std::uint32_t operand(const CodeAttribute& code, std::size_t instruction) const {
    const base::Bytes bytes = code.instructions.code();
    const std::uint32_t at = code.instructions[instruction].pc + 1;
    return static_cast<std::uint32_t>(bytes[at] << 8 | bytes[at + 1]);
  }

  ClassBuilder giver, taker;
  ByteVector given, taken, copied, written;
  ClassFile from, to;
};

TEST_F(CopiedCode, names_the_same_members_and_numbers) {
  CodeBuilder code;
  code.op2(op::kGetstatic, giver.member(9, "A", "mark", "I"));
  code.op(op::kPop);
  code.op2(op::kInvokestatic, giver.method_ref("B", "f", "()V"));
  code.op2(op::kLdc2W, giver.long_of(static_cast<std::uint64_t>(-24)));
  code.op(op::kPop2);
  code.op(op::kReturn);
  const auto result = copy(code);
  ASSERT_TRUE(result);
  ASSERT_EQ(result->instructions.size(), 6U);
  const auto field = to.pool.member_ref(operand(*result, 0));
  EXPECT_EQ(field->class_name, "A");
  EXPECT_EQ(field->name, "mark");
  EXPECT_EQ(to.pool.member_ref(operand(*result, 2))->class_name, "B");
  EXPECT_EQ(to.pool.long_value(operand(*result, 3)), -24);
}

TEST_F(CopiedCode, has_the_types_of_its_stack_maps) {
  CodeBuilder code;
  const auto target = code.label();
  code.op(op::kIconst0);
  code.jump(op::kIfeq, target);
  code.bind(target);
  code.op(op::kReturn);
  const std::uint32_t type = giver.cls("some/Type");
  // A frame with one more local, of that type, at the target.
  code.attributes.push_back(
      {"StackMapTable", {0, 1, 252, 0, 4, 7, static_cast<std::uint8_t>(type >> 8), static_cast<std::uint8_t>(type)}});
  const auto result = copy(code, "(Lsome/Parameter;)V");
  ASSERT_TRUE(result);
  ASSERT_EQ(result->attributes.size(), 1U);
  EXPECT_EQ(to.attribute_name(result->attributes[0]), "StackMapTable");
  auto map = StackMap::initial("(Lsome/Parameter;)V", true, false, to.this_class);
  ASSERT_EQ(map->parse(result->attributes[0].data), StackMap::ParseResult::kOk);
  ASSERT_EQ(map->frames.size(), 1U);
  EXPECT_EQ(map->frames[0].position, 4U);
  ASSERT_EQ(map->frames[0].locals.size(), 2U);
  EXPECT_EQ(to.pool.class_name(map->frames[0].locals[1].data), "some/Type");
}

TEST_F(CopiedCode, is_not_made_where_a_handler_would_have_to_go_along) {
  CodeBuilder code;
  const auto start = code.here();
  code.op(op::kNop);
  const auto end = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kAthrow);
  code.catches(start, end, handler);
  EXPECT_FALSE(copy(code));
}

// The taker may have no index left that fits one byte.
TEST_F(CopiedCode, is_not_made_where_a_constant_has_a_short_index) {
  CodeBuilder loads;
  loads.op1(op::kLdc, giver.integer(7));
  loads.op(op::kPop);
  loads.op(op::kReturn);
  EXPECT_FALSE(copy(loads));
}

TEST_F(CopiedCode, is_not_made_of_a_method_without_code) {
  giver.method(0x0401, "stub", "()V");
  given = giver.build();
  from = ClassFile::parse(given).value();
  taken = taker.build();
  to = ClassFile::parse(taken).value();
  EXPECT_FALSE(copy_code(from, from.methods[0], to));
}

}  // namespace
}  // namespace bursar::classfile
