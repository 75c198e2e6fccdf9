#include "classfile/code_tables.h"

#include <gtest/gtest.h>

#include <functional>

#include "class_builder.h"

namespace bursar::classfile {
namespace {

// A method under edit, laid out:
//
//   old  new
//         0   prologue (5 bytes)
//    0    5   iload_0
//    1   10   ifeq 5        4 bytes inserted on fall-through before it
//    4   13   nop
//    5   16   nop           2 bytes inserted on arrival before it
//    6   17   return
//        18   detour of ifeq → 5: 3 bytes, goto
//        24   the end
class CodeTablesTest : public testing::Test {
 protected:
  CodeTablesTest() : code_(build()), instructions_(Instructions::parse(code_, 20).value()), layout_(instructions_) {
    layout_.prologue = piece(5);
    layout_.on_fall_through[1] = piece(4);
    layout_.on_arrival[3] = piece(2);
    layout_.detours.push_back({.source = 1, .target = 3, .catches = false, .code = piece(3)});
    layout_.move = {.first_moved = 1, .shift = 10};
    EXPECT_EQ(layout_.run(), CodeLayout::Outcome::kOk);
    EXPECT_EQ(layout_.size(), 24U);
  }

  static ByteVector build() {
    CodeBuilder code;
    const auto target = code.label();
    code.op(op::kIload0);
    code.jump(op::kIfeq, target);
    code.op(op::kNop);
    code.bind(target);
    code.op(op::kNop);
    code.op(op::kReturn);
    return code.code();
  }
  CodePiece piece(std::size_t size) {
    const auto begin = static_cast<std::uint32_t>(layout_.inserted.size());
    layout_.inserted.insert(layout_.inserted.end(), size, op::kNop);
    return {begin, static_cast<std::uint32_t>(layout_.inserted.size())};
  }

  // A table of two-byte fields: the count, then the fields.
  static ByteVector fields(const std::vector<std::uint32_t>& values) {
    base::ByteWriter out;
    for (const std::uint32_t value : values) out.u2_be(value);
    return out.take();
  }
  MovedBytes lines(const std::vector<std::uint32_t>& values) {
    return move_line_numbers(fields(values), instructions_, layout_);
  }
  MovedBytes variables(const std::vector<std::uint32_t>& values) {
    return move_local_variables(fields(values), instructions_, layout_);
  }
  MovedBytes annotations(const ByteVector& bytes) {
    const std::vector<std::uint32_t> new_entry = {0, 3, 700};
    return move_type_annotations(bytes, instructions_, layout_, new_entry);
  }

  ByteVector code_;
  Instructions instructions_;
  CodeLayout layout_;
};

TEST_F(CodeTablesTest, lines_move_with_their_code_and_keep_their_order) {
  EXPECT_EQ(lines({3, 6, 9, 0, 7, 1, 8}), fields({4, 17, 9, 0, 7, 6, 8, 18, 8}));
}

TEST_F(CodeTablesTest, the_first_line_takes_in_the_prologue) {
  EXPECT_EQ(lines({1, 0, 50}), fields({2, 0, 50, 18, 50}));
}

TEST_F(CodeTablesTest, code_inserted_before_an_instruction_has_its_line) {
  const auto moved = lines({2, 0, 50, 5, 60});
  EXPECT_EQ(moved, fields({3, 0, 50, 14, 60, 18, 50})) << "what stands on arrival at 5 begins at 14";
}

TEST_F(CodeTablesTest, a_detour_has_the_line_of_its_jump) {
  // The jump is at 1; its target at 5 has another line.
  EXPECT_EQ(lines({3, 0, 50, 4, 55, 5, 60}), fields({4, 0, 50, 13, 55, 14, 60, 18, 50}));
}

TEST_F(CodeTablesTest, a_detour_of_a_jump_without_a_line_gets_none) {
  EXPECT_EQ(lines({1, 5, 60}), fields({1, 14, 60}));
  EXPECT_EQ(lines({0}), fields({0}));
}

TEST_F(CodeTablesTest, detours_side_by_side_share_a_line) {
  CodeBuilder code;
  const auto target = code.label();
  for (int i = 0; i < 3; ++i) {
    code.op(op::kIload0);
    code.jump(op::kIfeq, target);
  }
  code.bind(target);
  code.op(op::kReturn);
  const ByteVector bytes = code.code();
  const Instructions instructions = Instructions::parse(bytes, 1).value();
  CodeLayout layout(instructions);
  layout.inserted = {op::kNop};
  for (const std::uint32_t source : {1U, 3U, 5U}) {
    layout.detours.push_back({.source = source, .target = 6, .catches = false, .code = {0, 1}});
  }
  ASSERT_EQ(layout.run(), CodeLayout::Outcome::kOk);
  // The first two jumps are on line 7, the third on line 8; detours stand at 13, 17 and 21.
  EXPECT_EQ(move_line_numbers(fields({2, 0, 7, 8, 8}), instructions, layout), fields({4, 0, 7, 8, 8, 13, 7, 21, 8}));
}

TEST_F(CodeTablesTest, refuses_malformed_lines) {
  EXPECT_FALSE(lines({})) << "no count";
  EXPECT_FALSE(lines({1, 0})) << "cut short";
  EXPECT_FALSE(lines({1, 0, 5, 0})) << "bytes behind the end";
  EXPECT_FALSE(lines({1, 2, 5})) << "inside an instruction";
  EXPECT_FALSE(lines({1, 7, 5})) << "at the end of the code";
  EXPECT_FALSE(lines({1, 999, 5}));
}

TEST_F(CodeTablesTest, parameters_are_there_from_the_start_to_the_end_detours_included) {
  EXPECT_EQ(variables({1, 0, 7, 1, 2, 0}), fields({1, 0, 24, 1, 2, 0}));
}

TEST_F(CodeTablesTest, other_variables_keep_to_their_instructions_and_take_their_new_slots) {
  EXPECT_EQ(variables({2, 4, 1, 11, 12, 1, 5, 2, 13, 14, 3}), fields({2, 13, 1, 11, 12, 11, 14, 24 - 14, 13, 14, 13}));
  EXPECT_EQ(variables({1, 0, 4, 11, 12, 2}), fields({1, 0, 13, 11, 12, 12}));
  EXPECT_EQ(variables({1, 4, 0, 11, 12, 2}), fields({1, 13, 0, 11, 12, 12})) << "an empty range stays empty";
  EXPECT_EQ(variables({1, 0, 0, 11, 12, 2}), fields({1, 0, 0, 11, 12, 12}));
}

TEST_F(CodeTablesTest, refuses_malformed_variables) {
  EXPECT_FALSE(variables({}));
  EXPECT_FALSE(variables({1, 0, 7, 1, 2})) << "cut short";
  EXPECT_FALSE(variables({0, 0})) << "bytes behind the end";
  EXPECT_FALSE(variables({1, 2, 2, 1, 2, 0})) << "starts inside an instruction";
  EXPECT_FALSE(variables({1, 0, 2, 1, 2, 0})) << "ends inside an instruction";
  EXPECT_FALSE(variables({1, 0, 8, 1, 2, 0})) << "ends behind the end";
  EXPECT_FALSE(variables({1, 5, 65535, 1, 2, 0}));
  EXPECT_FALSE(variables({1, 0, 7, 1, 2, 65530})) << "no slot is left for it";
}

// An annotation without elements, on this target.
ByteVector annotated(const ByteVector& target) {
  ByteVector bytes = {0, 1};
  bytes.insert(bytes.end(), target.begin(), target.end());
  bytes.insert(bytes.end(), {1, 3, 0, 0, 9, 0, 0});  // a path of one step, the type, no elements
  return bytes;
}

TEST_F(CodeTablesTest, annotations_of_instructions_move_to_the_instruction_itself) {
  for (const std::uint8_t kind : ByteVector{0x43, 0x44, 0x45, 0x46}) {
    EXPECT_EQ(annotations(annotated({kind, 0, 5})), annotated({kind, 0, 16})) << int{kind};
  }
  for (const std::uint8_t kind : ByteVector{0x47, 0x48, 0x49, 0x4a, 0x4b}) {
    EXPECT_EQ(annotations(annotated({kind, 0, 5, 77})), annotated({kind, 0, 16, 77})) << int{kind};
  }
}

TEST_F(CodeTablesTest, annotations_of_variables_move_like_the_variables) {
  for (const std::uint8_t kind : ByteVector{0x40, 0x41}) {
    EXPECT_EQ(annotations(annotated({kind, 0, 2, 0, 0, 0, 7, 0, 0, 0, 4, 0, 1, 0, 3})),
              annotated({kind, 0, 2, 0, 0, 0, 24, 0, 0, 0, 13, 0, 1, 0, 13}));
  }
}

TEST_F(CodeTablesTest, annotations_of_caught_exceptions_follow_their_entry) {
  EXPECT_EQ(annotations(annotated({0x42, 0, 1})), annotated({0x42, 0, 3}));
  EXPECT_EQ(annotations(annotated({0x42, 0, 2})), annotated({0x42, 2, 188}));
  EXPECT_FALSE(annotations(annotated({0x42, 0, 3}))) << "there is no such entry";
}

TEST_F(CodeTablesTest, annotations_of_anything_outside_code_are_refused) {
  for (unsigned kind = 0; kind < 256; ++kind) {
    if (kind >= 0x40 && kind <= 0x4b) continue;
    EXPECT_FALSE(annotations(annotated({static_cast<std::uint8_t>(kind), 0, 5}))) << kind;
  }
}

TEST_F(CodeTablesTest, annotations_at_no_instruction_are_refused) {
  EXPECT_FALSE(annotations(annotated({0x44, 0, 2})));
  EXPECT_FALSE(annotations(annotated({0x44, 0, 7})));
  EXPECT_FALSE(annotations(annotated({0x40, 0, 1, 0, 2, 0, 2, 0, 0})));
  EXPECT_FALSE(annotations(annotated({0x40, 0, 1, 0, 0, 0, 7, 0xff, 0xff}))) << "no slot is left for it";
}

// Two annotations, the first with this element, so that the second shows whether the first was read rightly.
MovedBytes with_element(const ByteVector& element, const std::function<MovedBytes(const ByteVector&)>& move,
                        ByteVector& expected) {
  const auto bytes = [&](std::uint8_t pc) {
    ByteVector result = {0, 2, 0x44, 0, pc, 0, 0, 9, 0, 1, 0, 8};
    result.insert(result.end(), element.begin(), element.end());
    result.insert(result.end(), {0x44, 0, pc, 0, 0, 9, 0, 0});
    return result;
  };
  expected = bytes(16);
  return move(bytes(5));
}

TEST_F(CodeTablesTest, annotations_may_hold_elements_of_every_kind) {
  const ByteVector nested = {'@', 0, 9, 0, 2, 0, 1, 's', 0, 2, 0, 3, 'e', 0, 4, 0, 5};
  std::vector<ByteVector> elements = {{'e', 0, 4, 0, 5}, {'c', 0, 4}, {'s', 0, 4}, {'[', 0, 0}, nested};
  for (const char tag : std::string("BCDFIJSZ")) elements.push_back({static_cast<std::uint8_t>(tag), 0, 4});
  ByteVector array = {'[', 0, 2};
  array.insert(array.end(), nested.begin(), nested.end());
  array.insert(array.end(), {'[', 0, 1, 'I', 0, 4});
  elements.push_back(array);
  for (const ByteVector& element : elements) {
    ByteVector expected;
    EXPECT_EQ(with_element(
                  element, [this](const ByteVector& b) { return annotations(b); }, expected),
              expected)
        << testing::PrintToString(element);
  }
}

TEST_F(CodeTablesTest, annotations_with_an_unknown_element_are_refused) {
  ByteVector expected;
  EXPECT_FALSE(with_element(
      {'Q', 0, 4}, [this](const ByteVector& b) { return annotations(b); }, expected));
  EXPECT_FALSE(with_element(
      {0, 0, 4}, [this](const ByteVector& b) { return annotations(b); }, expected));
}

TEST_F(CodeTablesTest, annotations_nest_only_so_deep) {
  const auto nested = [&](std::size_t depth) {
    ByteVector element;
    for (std::size_t i = 0; i < depth; ++i) element.insert(element.end(), {'[', 0, 1});
    element.insert(element.end(), {'I', 0, 4});
    ByteVector expected;
    return with_element(
               element, [this](const ByteVector& b) { return annotations(b); }, expected) == expected;
  };
  EXPECT_TRUE(nested(60));
  EXPECT_FALSE(nested(65));
  EXPECT_FALSE(nested(20000)) << "nor does it exhaust the stack";
}

TEST_F(CodeTablesTest, annotations_cut_short_or_too_long_are_refused) {
  const ByteVector whole = annotated({0x47, 0, 5, 0});
  ASSERT_TRUE(annotations(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_FALSE(annotations(ByteVector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)))) << length;
  }
  ByteVector longer = whole;
  longer.push_back(0);
  EXPECT_FALSE(annotations(longer));
}

}  // namespace
}  // namespace bursar::classfile
