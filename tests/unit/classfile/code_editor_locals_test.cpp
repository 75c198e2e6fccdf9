// Where the editor puts new locals, and what becomes of the method's limits.
#include <gtest/gtest.h>

#include "editing.h"

namespace bursar::classfile {
namespace {

using Slots = std::vector<std::uint16_t>;

const NewLocal kInt{NewLocal::Type::kInt, ""}, kLong{NewLocal::Type::kLong, ""}, kObject{NewLocal::Type::kObject, "P"};

Slots slots(Editing& edit) {
  return {edit.editor().local_slots().begin(), edit.editor().local_slots().end()};
}

// iload_0, istore 2 (behind two slots of parameters and more), return, with a frame at the end
CodeBuilder with_locals() {
  CodeBuilder code;
  code.max_locals = 5;
  code.op(op::kIload0);
  code.op1(op::kIstore, 4);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 252, 0, 3, 2}});  // the parameters and a float
  return code;
}

TEST(CodeEditorLocals, go_behind_the_parameters_and_move_the_others_up) {
  const CodeBuilder code = with_locals();
  Editing edit(code, {.descriptor = "(IJ)V"});
  ASSERT_EQ(edit.add_locals({kInt, kLong, kObject}, LocalPlacement::kAfterParameters), std::nullopt);
  EXPECT_EQ(slots(edit), (Slots{3, 4, 6}));
  edit.editor().prepend(edit.call());
  const CodeAttribute& after = edit.finish();
  EXPECT_EQ(after.max_locals, 9);
  EXPECT_EQ(after.instructions[1].local, 0) << "a parameter stays";
  EXPECT_EQ(after.instructions[2].local, 8);
  const Types locals = edit.frames().at(0).locals;
  ASSERT_EQ(locals.size(), 6U);
  EXPECT_EQ(locals[2].tag, VerificationType::kInteger);
  EXPECT_EQ(locals[3].tag, VerificationType::kLong);
  EXPECT_EQ(edit.new_pool->class_name(locals[4].data), "P");
  EXPECT_EQ(locals[5].tag, VerificationType::kFloat);
}

TEST(CodeEditorLocals, go_to_the_end_and_move_nothing) {
  const CodeBuilder code = with_locals();
  Editing edit(code, {.descriptor = "(IJ)V"});
  ASSERT_EQ(edit.add_locals({kInt, kLong}, LocalPlacement::kAtEnd), std::nullopt);
  EXPECT_EQ(slots(edit), (Slots{5, 6}));
  edit.editor().prepend(edit.call());
  const CodeAttribute& after = edit.finish();
  EXPECT_EQ(after.max_locals, 8);
  EXPECT_EQ(after.instructions[2].local, 4);
  const Types expected = {{VerificationType::kInteger}, {VerificationType::kLong},    {VerificationType::kFloat},
                          {VerificationType::kTop},     {VerificationType::kInteger}, {VerificationType::kLong}};
  EXPECT_EQ(edit.frames().at(0).locals, expected);
}

TEST(CodeEditorLocals, count_the_receiver_as_a_parameter) {
  CodeBuilder code;
  code.op(op::kReturn);
  Editing edit(code, {.descriptor = "(J)V", .access = 0});
  ASSERT_EQ(edit.add_locals({kInt}, LocalPlacement::kAfterParameters), std::nullopt);
  EXPECT_EQ(slots(edit), Slots{3});
}

TEST(CodeEditorLocals, go_to_the_end_where_code_has_a_long_across_the_end_of_the_parameters) {
  for (const std::uint8_t opcode : ByteVector{0x16, 0x18, 0x37, 0x39}) {  // lload, dload, lstore, dstore
    CodeBuilder code;
    code.max_locals = 6;
    code.op1(opcode, 1);  // slots 1 and 2
    code.op(op::kReturn);
    Editing edit(code, {.descriptor = "(II)V"});
    ASSERT_EQ(edit.add_locals({kInt}, LocalPlacement::kAfterParameters), std::nullopt);
    EXPECT_EQ(slots(edit), Slots{6}) << int{opcode};
  }
}

TEST(CodeEditorLocals, go_to_the_end_where_a_frame_has_a_long_across_the_end_of_the_parameters) {
  CodeBuilder code;
  code.max_locals = 6;
  code.op(op::kNop);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 255, 0, 1, 0, 2, 1, 4, 0, 0}});  // int, long
  Editing edit(code, {.descriptor = "(II)V"});
  ASSERT_EQ(edit.add_locals({kInt}, LocalPlacement::kAfterParameters), std::nullopt);
  EXPECT_EQ(slots(edit), Slots{6});
}

TEST(CodeEditorLocals, are_refused_where_a_frame_has_a_long_across_the_last_local) {
  CodeBuilder code;
  code.max_locals = 2;
  code.op(op::kNop);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 252, 0, 1, 4}});  // a long behind the int
  Editing edit(code, {.descriptor = "(I)V"});
  EXPECT_EQ(edit.add_locals({kInt}, LocalPlacement::kAtEnd), SkipReason::kMalformedStackMap);
}

TEST(CodeEditorLocals, are_refused_beyond_65535) {
  for (const std::uint32_t free : {2U, 3U}) {
    CodeBuilder code;
    code.max_locals = 65535 - free;
    code.op(op::kReturn);
    Editing edit(code);
    const auto outcome = edit.add_locals({kLong, kInt}, LocalPlacement::kAtEnd);
    EXPECT_EQ(outcome, free == 3 ? std::nullopt : std::optional(SkipReason::kTableFull));
  }
}

TEST(CodeEditorLocals, are_refused_where_frames_would_grow_without_bound) {
  CodeBuilder code;
  code.max_locals = 65000;
  code.nops(2000);
  code.op(op::kReturn);
  base::ByteWriter map;
  map.u2_be(1000);
  for (int i = 0; i < 1000; ++i) map.u1(0);
  code.attributes.push_back({"StackMapTable", map.take()});
  Editing at_end(code);
  EXPECT_EQ(at_end.add_locals({kInt}, LocalPlacement::kAtEnd), SkipReason::kTooComplex);
  Editing after_parameters(code);
  EXPECT_EQ(after_parameters.add_locals({kInt}, LocalPlacement::kAfterParameters), std::nullopt);
}

TEST(CodeEditorLocals, need_room_for_their_class_in_the_pool) {
  CodeBuilder code;
  code.op(op::kReturn);
  ClassBuilder builder;
  for (std::uint32_t i = 0; builder.count() < 65520; ++i) builder.integer(i);
  Editing edit(code, {}, builder);
  const auto outcome = edit.add_locals({kObject}, LocalPlacement::kAtEnd);
  EXPECT_EQ(outcome, std::nullopt);
  ClassBuilder full;
  for (std::uint32_t i = 0; full.count() < 65528; ++i) full.integer(i);
  Editing none_left(code, {}, full);  // its own names take the rest
  EXPECT_EQ(none_left.add_locals({kObject}, LocalPlacement::kAtEnd), SkipReason::kConstantPoolFull);
}

TEST(CodeEditorLocals, the_stack_grows_by_the_deepest_probe) {
  CodeBuilder code;
  code.max_stack = 7;
  code.op(op::kReturn);
  Editing edit(code);
  edit.editor().prepend(edit.call());
  edit.editor().insert_on_arrival(0, edit.filler(8));
  EXPECT_EQ(edit.finish().max_stack, 8);
}

TEST(CodeEditorLocals, a_stack_beyond_65535_is_refused) {
  for (const std::uint32_t max_stack : {65534U, 65535U}) {
    CodeBuilder code;
    code.max_stack = max_stack;
    code.op(op::kReturn);
    Editing edit(code);
    edit.editor().prepend(edit.filler(2));
    edit.finish();
    EXPECT_EQ(edit.refused, max_stack == 65534 ? std::nullopt : std::optional(SkipReason::kTableFull));
  }
}

TEST(CodeEditorLocals, more_exception_entries_than_16_bits_can_count_are_refused) {
  CodeBuilder code;
  const auto start = code.here(), target = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, target);
  code.bind(target);
  code.op(op::kNop);
  const auto end = code.here();
  code.op(op::kReturn);
  for (int i = 0; i < 40000; ++i) code.catches(start, end, end);
  Editing edit(code, {.descriptor = "(I)V", .version = 49});
  edit.editor().insert_on_jump(1, edit.at(target), edit.call());
  edit.finish();
  EXPECT_EQ(edit.refused, SkipReason::kTableFull) << "each entry covers the detour too, by an entry of its own";
}

TEST(CodeEditorLocals, code_beyond_65535_bytes_and_jumps_out_of_reach_are_told_apart) {
  CodeBuilder large;
  large.nops(65534);
  large.op(op::kReturn);
  Editing too_large(large);
  too_large.editor().prepend(too_large.call());
  too_large.finish();
  EXPECT_EQ(too_large.refused, SkipReason::kCodeTooLarge);

  CodeBuilder far;
  const auto target = far.label();
  far.op(op::kIload0);
  far.jump(op::kIfeq, target);
  far.nops(32760);
  far.bind(target);
  far.op(op::kReturn);
  Editing out_of_reach(far, {.descriptor = "(I)V", .version = 49});
  out_of_reach.editor().insert_on_arrival(10, out_of_reach.filler(20));
  out_of_reach.finish();
  EXPECT_EQ(out_of_reach.refused, SkipReason::kJumpOutOfReach);
}

// An entry that sets the first new local, a long, and skips its end.
Snippet skipping_entry(Editing& edit) {
  Snippet entry = edit.snippet();
  entry.push_int(1);
  entry.push_long(1);
  entry.store(0);
  entry.begin_if_false();
  entry.push_long(1);
  entry.store(0);
  entry.end_if();
  return entry;
}

TEST(CodeEditorLocals, are_in_the_frame_behind_an_entry_that_skips_its_end) {
  CodeBuilder code;
  code.max_locals = 4;
  code.op(op::kReturn);
  Editing edit(code, {.descriptor = "(I)V"});
  ASSERT_EQ(edit.add_locals({kLong}, LocalPlacement::kAtEnd), std::nullopt);
  const Snippet entry = skipping_entry(edit);
  edit.editor().prepend(entry);
  edit.finish();
  ASSERT_EQ(edit.frames().size(), 1U) << "the method had no stack map";
  EXPECT_EQ(edit.frames()[0].position, entry.code().size());
  const Types expected = {{VerificationType::kInteger},
                          {VerificationType::kTop},
                          {VerificationType::kTop},
                          {VerificationType::kTop},
                          {VerificationType::kLong}};
  EXPECT_EQ(edit.frames()[0].locals, expected);
  EXPECT_TRUE(edit.frames()[0].stack.empty());
}

// What is written can be read again: the frame of the entry counts like any other.
TEST(CodeEditorLocals, are_refused_where_the_frame_behind_the_entry_is_one_too_many) {
  for (const std::uint32_t frames : {15U, 16U}) {
    CodeBuilder code;
    code.max_locals = 65000;
    code.nops(frames + 1);
    code.op(op::kReturn);
    base::ByteWriter map;
    map.u2_be(frames);
    map.u1(1);
    for (std::uint32_t i = 1; i < frames; ++i) map.u1(0);
    code.attributes.push_back({"StackMapTable", map.take()});
    Editing edit(code);
    ASSERT_EQ(edit.add_locals({kLong}, LocalPlacement::kAtEnd), std::nullopt);
    const Snippet entry = skipping_entry(edit);
    edit.editor().prepend(entry);
    edit.finish();
    EXPECT_EQ(edit.refused, frames == 15 ? std::nullopt : std::optional(SkipReason::kTooComplex));
  }
}

TEST(CodeEditorLocals, need_no_second_frame_where_a_loop_leads_to_the_first_instruction) {
  CodeBuilder code;
  code.max_locals = 1;
  const auto start = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, start);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 0}});  // the parameters, at the start
  Editing edit(code, {.descriptor = "(I)V"});
  ASSERT_EQ(edit.add_locals({kLong}, LocalPlacement::kAtEnd), std::nullopt);
  const Snippet entry = skipping_entry(edit);
  edit.editor().prepend(entry);
  edit.finish();
  ASSERT_EQ(edit.frames().size(), 1U);
  EXPECT_EQ(edit.frames()[0].position, entry.code().size());
}

TEST(CodeEditorLocals, of_old_class_files_need_no_frame) {
  CodeBuilder code;
  code.op(op::kReturn);
  Editing edit(code, {.version = 49});
  ASSERT_EQ(edit.add_locals({kLong}, LocalPlacement::kAtEnd), std::nullopt);
  edit.editor().prepend(skipping_entry(edit));
  EXPECT_TRUE(edit.finish().attributes.empty());
}

}  // namespace
}  // namespace bursar::classfile
