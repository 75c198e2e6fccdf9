#include "classfile/code_attribute.h"

#include <gtest/gtest.h>

#include "class_builder.h"

namespace bursar::classfile {
namespace {

// A class whose constants the code may name, and the attribute as bytes.
class CodeAttributeTest : public testing::Test {
 protected:
  base::Result<CodeAttribute> parse(const CodeBuilder& code) { return parse(code.attribute(builder_)); }
  base::Result<CodeAttribute> parse(const ByteVector& attribute) {
    attribute_ = attribute;
    bytes_ = builder_.build();
    file_.emplace(ClassFile::parse(bytes_).value());
    return CodeAttribute::parse(attribute_, file_->pool);
  }
  // sipush 1 at 0, pop at 3, nop at 4, return at 5
  static CodeBuilder plain() {
    CodeBuilder code;
    code.op2(op::kSipush, 1);
    code.op(op::kPop);
    code.op(op::kNop);
    code.op(op::kReturn);
    return code;
  }
  // The same with one exception entry.
  ByteVector covered(unsigned start, unsigned end, unsigned handler, unsigned type) {
    ByteVector bytes = plain().attribute(builder_);
    const auto u2 = [](unsigned v) {
      return ByteVector{static_cast<std::uint8_t>(v >> 8), static_cast<std::uint8_t>(v)};
    };
    ByteVector table = u2(1);
    for (const unsigned v : {start, end, handler, type}) {
      const ByteVector field = u2(v);
      table.insert(table.end(), field.begin(), field.end());
    }
    bytes.erase(bytes.end() - 4, bytes.end());  // an empty table and no attributes
    bytes.insert(bytes.end(), table.begin(), table.end());
    bytes.insert(bytes.end(), 2, 0);
    return bytes;
  }

  ClassBuilder builder_;
  ByteVector bytes_, attribute_;
  std::optional<ClassFile> file_;
};

TEST_F(CodeAttributeTest, gives_positions_as_indices_of_instructions) {
  CodeBuilder code;
  code.max_stack = 3;
  code.max_locals = 7;
  const auto start = code.here();
  code.op2(op::kSipush, 1);
  code.op(op::kPop);
  const auto end = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kAthrow);
  code.catches(start, end, handler, builder_.cls("E"));
  code.attributes.push_back({"LineNumberTable", {0, 0}});
  const auto parsed = parse(code);
  ASSERT_TRUE(parsed.ok()) << parsed.error().message;
  EXPECT_EQ(parsed->max_stack, 3);
  EXPECT_EQ(parsed->max_locals, 7);
  ASSERT_EQ(parsed->exceptions.size(), 1U);
  const ExceptionEntry& entry = parsed->exceptions[0];
  EXPECT_EQ(entry.start, 0U);
  EXPECT_EQ(entry.end, 2U);
  EXPECT_EQ(entry.handler, 3U);
  EXPECT_EQ(file_->pool.class_name(entry.catch_type), "E");
  EXPECT_TRUE(entry.covers(0) && entry.covers(1));
  EXPECT_FALSE(entry.covers(2));
  ASSERT_EQ(parsed->attributes.size(), 1U);
  EXPECT_EQ(file_->attribute_name(parsed->attributes[0]), "LineNumberTable");
}

TEST_F(CodeAttributeTest, an_exception_range_may_reach_the_end_of_the_code) {
  const auto parsed = parse(covered(0, 6, 5, 0));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->exceptions[0].end, parsed->instructions.size());
}

TEST_F(CodeAttributeTest, refuses_exception_entries_that_do_not_fit_the_code) {
  ASSERT_TRUE(parse(covered(0, 3, 4, 0)).ok());
  EXPECT_FALSE(parse(covered(1, 3, 4, 0)).ok()) << "starts inside an instruction";
  EXPECT_FALSE(parse(covered(0, 2, 4, 0)).ok()) << "ends inside an instruction";
  EXPECT_FALSE(parse(covered(0, 3, 2, 0)).ok()) << "handler inside an instruction";
  EXPECT_FALSE(parse(covered(0, 3, 6, 0)).ok()) << "handler at the end";
  EXPECT_FALSE(parse(covered(0, 7, 4, 0)).ok()) << "ends behind the end";
  EXPECT_FALSE(parse(covered(3, 3, 4, 0)).ok()) << "empty";
  EXPECT_FALSE(parse(covered(4, 3, 4, 0)).ok()) << "backwards";
}

TEST_F(CodeAttributeTest, refuses_to_catch_what_is_no_class) {
  const std::uint32_t text = builder_.utf8("text");
  const std::uint32_t cls = builder_.cls("E");
  EXPECT_TRUE(parse(covered(0, 3, 4, cls)).ok());
  EXPECT_FALSE(parse(covered(0, 3, 4, text)).ok());
  EXPECT_FALSE(parse(covered(0, 3, 4, 9999)).ok());
}

TEST_F(CodeAttributeTest, refuses_instructions_that_name_no_constant) {
  const std::uint32_t there = builder_.cls("C");
  for (const unsigned opcode : {0x12U, 0x13U, 0x14U, 0xb2U, 0xb3U, 0xb4U, 0xb5U, 0xb6U, 0xb7U, 0xb8U, 0xb9U, 0xbaU,
                                0xbbU, 0xbdU, 0xc0U, 0xc1U, 0xc5U}) {
    for (const std::uint32_t index : {there, 0U, 200U}) {
      CodeBuilder code;
      opcode == op::kLdc ? code.op1(opcode, index) : code.op2(opcode, index);
      if (opcode == 0xb9 || opcode == 0xba) code.bytes({1, 0});
      if (opcode == 0xc5) code.bytes({1});
      code.op(op::kReturn);
      EXPECT_EQ(parse(code).ok(), index == there) << opcode << " of " << index;
    }
  }
}

TEST_F(CodeAttributeTest, refuses_what_is_cut_short_or_too_long) {
  CodeBuilder code = plain();
  const auto start = code.here();
  code.op(op::kReturn);
  const auto end = code.here();
  code.catches(start, end, start);
  code.attributes.push_back({"LineNumberTable", {0, 0}});
  ByteVector whole = code.attribute(builder_);
  ASSERT_TRUE(parse(whole).ok());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(parse(ByteVector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))).ok()) << length;
  }
  whole.push_back(0);
  EXPECT_FALSE(parse(whole).ok());
}

}  // namespace
}  // namespace bursar::classfile
