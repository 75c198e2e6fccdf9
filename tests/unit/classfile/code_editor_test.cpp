#include "classfile/code_editor.h"

#include <gtest/gtest.h>

#include "editing.h"

namespace bursar::classfile {
namespace {

// nop (0), nop (1) covered, return (2), handler: pop (3), return (4)
struct Covered {
  Covered() {
    before = code.here();
    code.op(op::kNop);
    start = code.here();
    code.op(op::kNop);
    end = code.here();
    code.op(op::kReturn);
    handler = code.here();
    code.op(op::kPop);
    code.op(op::kReturn);
  }
  CodeBuilder code;
  CodeBuilder::Label before, start, end, handler;
};

TEST(CodeEditor, without_edits_gives_the_old_attribute) {
  Covered c;
  c.code.catches(c.start, c.end, c.handler);
  c.code.attributes.push_back({"StackMapTable", {0, 1, 255, 0, 3, 0, 0, 0, 1, 5}});
  Editing edit(c.code);
  EXPECT_TRUE(edit.editor().empty());
  const CodeAttribute& after = edit.finish();
  EXPECT_EQ(after.instructions.code().size(), 5U);
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{1, 2, 3}}));
  EXPECT_EQ(edit.attribute("StackMapTable")->size(), 4U) << "in its shortest form";
}

TEST(CodeEditor, the_prologue_is_not_covered) {
  Covered c;
  c.code.catches(c.before, c.end, c.handler);
  Editing edit(c.code, {.version = 49});
  edit.editor().prepend(edit.call());
  edit.finish();
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{3, 5, 6}}));
}

TEST(CodeEditor, inserted_code_is_covered_like_the_instruction_it_stands_before) {
  Covered c;
  c.code.catches(c.start, c.end, c.handler);
  Editing edit(c.code, {.version = 49});
  edit.editor().insert_on_fall_through(edit.at(c.start), edit.call());
  edit.editor().insert_on_arrival(edit.at(c.end), edit.call());
  edit.finish();
  // nop, call, nop | call, return, handler
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{1, 5, 9}}));
}

TEST(CodeEditor, a_handler_reached_by_exceptions_only_takes_its_probe_on_arrival) {
  Covered c;
  c.code.catches(c.start, c.end, c.handler);
  Editing edit(c.code, {.version = 49});
  edit.editor().insert_on_catch(edit.at(c.handler), false, edit.call());
  const CodeAttribute& after = edit.finish();
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{1, 2, 3}}));
  EXPECT_EQ(after.instructions[3].opcode, op::kInvokestatic);
}

TEST(CodeEditor, a_handler_reached_otherwise_too_gets_a_detour) {
  CodeBuilder code;
  const auto start = code.here();
  code.op(op::kNop);
  const auto end = code.here();
  code.op(op::kAconstNull);
  const auto handler = code.here();
  code.op(op::kPop);
  const auto behind = code.here();
  code.op(op::kReturn);
  code.catches(start, end, handler);
  code.catches(handler, behind, handler);
  Editing edit(code, {.version = 49});
  edit.editor().insert_on_catch(edit.at(handler), true, edit.call());
  const CodeAttribute& after = edit.finish();
  // nop, aconst_null, pop, return | call, goto pop
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{0, 1, 4}, {2, 3, 4}, {4, 10, 4}}))
      << "the detour is covered like the handler it leads to";
  EXPECT_EQ(after.instructions[4].opcode, op::kInvokestatic);
  EXPECT_EQ(after.instructions[5].opcode, op::kGoto);
  EXPECT_EQ(edit.pc(after.instructions[5].target), 2U);
}

TEST(CodeEditor, a_detour_is_covered_like_its_target_and_not_like_its_jump) {
  CodeBuilder code;
  const auto start = code.here(), target = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, target);
  const auto middle = code.here();
  code.op(op::kReturn);
  code.bind(target);
  code.op(op::kReturn);
  const auto end = code.here(), handler = code.here();
  code.op(op::kPop);
  code.op(op::kReturn);
  code.catches(start, middle, handler);  // covers the jump
  code.catches(target, end, handler);    // covers the target
  Editing edit(code, {.descriptor = "(I)V", .version = 49});
  edit.editor().insert_on_jump(1, edit.at(target), edit.call());
  edit.finish();
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{0, 4, 6}, {5, 6, 6}, {8, 14, 6}}));
}

TEST(CodeEditor, stepping_stones_are_cut_out_of_exception_ranges) {
  CodeBuilder code;
  const auto start = code.here(), far = code.label(), handler = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, far);
  code.op(op::kReturn);
  const auto gap = code.here();
  code.nops(32760);
  code.bind(far);
  code.op(op::kReturn);
  const auto end = code.here();
  code.bind(handler);
  code.op(op::kPop);
  code.op(op::kReturn);
  code.catches(start, end, handler);
  code.catches(start, gap, handler);
  // An annotation on what the second entry catches.
  code.attributes.push_back({"RuntimeVisibleTypeAnnotations", {0, 1, 0x42, 0, 1, 0, 0, 9, 0, 0}});
  Editing edit(code, {.descriptor = "(I)V", .version = 49});
  edit.editor().insert_on_arrival(edit.at(gap) + 1, edit.filler(20));
  edit.finish();
  const std::uint32_t new_end = 5 + 5 + 32760 + 20 + 1;
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{0, 5, new_end}, {10, new_end, new_end}, {0, 5, new_end}}));
  EXPECT_EQ((*edit.attribute("RuntimeVisibleTypeAnnotations"))[4], 2) << "the second entry is the third now";
}

TEST(CodeEditor, copies_of_frames_are_bounded) {
  const std::uint32_t locals = 60000;
  const auto outcome = [&](int jumps) {
    CodeBuilder code;
    code.max_locals = locals;
    const auto target = code.label();
    for (int i = 0; i < jumps; ++i) {
      code.op(op::kIload0);
      code.jump(op::kIfeq, target);
    }
    code.bind(target);
    code.op(op::kReturn);
    base::ByteWriter map;
    map.u2_be(1);
    map.u1(255);
    map.u2_be(code.pc_of(target));
    map.u2_be(locals);
    for (std::uint32_t i = 0; i < locals; ++i) map.u1(1);
    map.u2_be(0);
    code.attributes.push_back({"StackMapTable", map.take()});
    Editing edit(code, {.descriptor = "(I)V"});
    for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(jumps); ++i) {
      edit.editor().insert_on_jump(2 * i + 1, edit.at(target), edit.call());
    }
    edit.finish();
    return edit.refused;
  };
  EXPECT_EQ(outcome(10), std::nullopt);
  EXPECT_EQ(outcome(20), SkipReason::kTooComplex);
}

TEST(CodeEditor, detours_and_stones_carry_a_copy_of_their_targets_frame) {
  CodeBuilder code;
  const auto target = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, target);
  code.op(op::kReturn);
  code.bind(target);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 252, 0, 5, 2}});  // at 5: the int and a float
  Editing edit(code, {.descriptor = "(I)V"});
  edit.editor().insert_on_jump(1, edit.at(target), edit.call());
  edit.editor().insert_on_arrival(edit.at(target), edit.call());
  edit.finish();
  const std::vector<Frame> frames = edit.frames();
  ASSERT_EQ(frames.size(), 2U);
  EXPECT_EQ(frames[0].position, 5U) << "where jumps to it arrive: before what is inserted there";
  EXPECT_EQ(frames[1].position, 9U) << "the detour";
  EXPECT_EQ(frames[1].locals, frames[0].locals);
  EXPECT_EQ(frames[1].locals.size(), 2U);
}

TEST(CodeEditor, uninitialized_objects_follow_their_new_instruction) {
  ClassBuilder builder;
  CodeBuilder code;
  const auto target = code.label();
  code.op(op::kNop);
  code.op2(op::kNew, builder.cls("C"));  // at 1
  code.op(op::kIload0);
  code.jump(op::kIfeq, target);
  code.bind(target);
  code.op(op::kPop);  // at 8
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 64 + 8, 8, 0, 1}});
  Editing edit(code, {.descriptor = "(I)V"}, builder);
  edit.editor().prepend(edit.call());
  edit.editor().insert_on_arrival(1, edit.call());
  edit.finish();
  ASSERT_EQ(edit.frames().size(), 1U);
  EXPECT_EQ(edit.frames()[0].stack, (Types{{VerificationType::kUninitialized, 7}}));
}

TEST(CodeEditor, refuses_frames_that_name_a_new_that_is_none) {
  CodeBuilder code;
  code.op(op::kNop);
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 64 + 1, 8, 0, 0}});
  Editing edit(code);
  edit.editor().prepend(edit.call());
  edit.finish();
  EXPECT_EQ(edit.refused, SkipReason::kMalformedStackMap);
}

TEST(CodeEditor, refuses_frames_at_no_instruction) {
  CodeBuilder code;
  code.op2(op::kSipush, 1);
  code.op(op::kReturn);
  for (const std::uint8_t position : ByteVector{1, 4}) {
    CodeBuilder with_frame = code;
    with_frame.attributes.push_back({"StackMapTable", {0, 1, position}});
    Editing edit(with_frame);
    edit.editor().prepend(edit.call());
    edit.finish();
    EXPECT_EQ(edit.refused, SkipReason::kMalformedStackMap) << int{position};
  }
}

TEST(CodeEditor, refuses_frames_that_name_no_class) {
  CodeBuilder code;
  code.op(op::kReturn);
  code.attributes.push_back({"StackMapTable", {0, 1, 64, 7, 3, 0}});
  EXPECT_EQ(Editing(code).refused, SkipReason::kMalformedStackMap);
}

TEST(CodeEditor, refuses_two_stack_maps) {
  CodeBuilder code;
  code.op(op::kReturn);
  code.attributes = {{"StackMapTable", {0, 0}}, {"StackMapTable", {0, 0}}};
  EXPECT_EQ(Editing(code).refused, SkipReason::kMalformedStackMap);
}

TEST(CodeEditor, refuses_a_descriptor_that_does_not_fit_the_locals) {
  CodeBuilder code;
  code.max_locals = 3;
  code.op(op::kReturn);
  EXPECT_EQ(Editing(code, {.descriptor = "(IJ)V"}).refused, std::nullopt);
  EXPECT_EQ(Editing(code, {.descriptor = "(IJ)V", .access = 0}).refused, SkipReason::kMalformedCode)
      << "with the receiver it is one more";
  EXPECT_EQ(Editing(code, {.descriptor = "(DD)V"}).refused, SkipReason::kMalformedCode);
  EXPECT_EQ(Editing(code, {.descriptor = "nonsense"}).refused, SkipReason::kMalformedCode);
}

TEST(CodeEditor, a_jump_target_without_a_frame_is_missing_it_from_version_51_on) {
  CodeBuilder code;
  const auto target = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, target);
  code.bind(target);
  code.op(op::kReturn);
  const auto outcome = [&](unsigned version, bool empty_map) {
    CodeBuilder with = code;
    if (empty_map) with.attributes.push_back({"StackMapTable", {0, 0}});
    Editing edit(with, {.descriptor = "(I)V", .version = version});
    edit.editor().insert_on_jump(1, edit.at(target), edit.call());
    edit.finish();
    return edit.refused;
  };
  EXPECT_EQ(outcome(49, false), std::nullopt);
  EXPECT_EQ(outcome(50, false), std::nullopt) << "the old verifier will look at it";
  EXPECT_EQ(outcome(51, false), SkipReason::kMissingFrame);
  EXPECT_EQ(outcome(51, true), SkipReason::kMissingFrame);
  EXPECT_EQ(outcome(50, true), SkipReason::kMissingFrame);
}

TEST(CodeEditor, an_attribute_of_the_code_that_it_does_not_know_may_hold_positions) {
  CodeBuilder code;
  code.op(op::kReturn);
  code.attributes.push_back({"CharacterRangeTable", {0, 0}});
  Editing edit(code);
  edit.editor().prepend(edit.call());
  edit.finish();
  EXPECT_EQ(edit.refused, SkipReason::kUnknownAttribute);
}

TEST(CodeEditor, drops_the_frames_of_the_cldc_verifier) {
  CodeBuilder code;
  code.op(op::kReturn);
  code.attributes = {{"StackMap", {1, 2, 3}}, {"LineNumberTable", {0, 1, 0, 0, 0, 7}}};
  Editing edit(code, {.version = 47});
  edit.editor().prepend(edit.call());
  edit.finish();
  EXPECT_EQ(edit.refused, std::nullopt);
  EXPECT_FALSE(edit.attribute("StackMap"));
  EXPECT_TRUE(edit.attribute("LineNumberTable"));
}

TEST(CodeEditor, a_malformed_debug_table_leaves_the_method_alone) {
  for (const char* name : {"LineNumberTable", "LocalVariableTable", "LocalVariableTypeTable",
                           "RuntimeVisibleTypeAnnotations", "RuntimeInvisibleTypeAnnotations"}) {
    CodeBuilder code;
    code.op(op::kReturn);
    code.attributes.push_back({name, {0, 9}});
    Editing edit(code);
    edit.editor().prepend(edit.call());
    edit.finish();
    EXPECT_EQ(edit.refused, SkipReason::kMalformedTable) << name;
  }
}

// if (2) { p(); B.g(int, null); p() } else B.f(int)
class ForkTest : public testing::Test {
 protected:
  void fork(const MethodHead& head, std::uint8_t opcode = op::kInvokestatic) {
    fork(head, opcode, {.opcode = opcode, .constant = 7});
  }
  void fork(const MethodHead& head, std::uint8_t opcode, const CopyCall& copy) {
    CodeBuilder code;
    code.op(op::kAconstNull);
    code.op(op::kIconst0);
    const auto call = code.here();
    if (opcode == op::kInvokeinterface) {
      code.op2(opcode, builder.member(11, "B", "f", "(I)V"));
      code.bytes({2, 0});
    } else {
      code.op2(opcode, builder.method_ref("B", "f", "(I)V"));
    }
    code.op(op::kReturn);
    edit.emplace(code, head, builder);
    Snippet snippet = edit->snippet();
    snippet.push_int(2);
    snippet.begin_fork();
    snippet.invoke_static("P", "p", "()V");
    snippet.call_copy();
    snippet.invoke_static("P", "p", "()V");
    ASSERT_TRUE(snippet.forks());
    edit->editor().fork(edit->at(call), copy, snippet);
    edit->finish();
  }
  const Instruction& at(std::size_t i) const { return edit->after->instructions[i]; }

  ClassBuilder builder;
  std::optional<Editing> edit;
};

TEST_F(ForkTest, leads_to_one_of_two_calls) {
  fork({});
  ASSERT_EQ(edit->refused, std::nullopt);
  // aconst_null, iconst_0, iconst_2, ifeq, p, aconst_null, g, p, goto, f, return
  ASSERT_EQ(edit->after->instructions.size(), 11U);
  EXPECT_EQ(at(3).opcode, op::kIfeq);
  EXPECT_EQ(at(3).target, 9U);
  EXPECT_EQ(at(5).opcode, op::kAconstNull);
  EXPECT_EQ(at(6).opcode, op::kInvokestatic);
  EXPECT_EQ(edit->after->instructions.code()[at(6).pc + 2], 7U);
  EXPECT_EQ(at(8).opcode, op::kGoto);
  EXPECT_EQ(at(8).target, 10U);
  EXPECT_EQ(at(9).opcode, op::kInvokestatic);
}

TEST_F(ForkTest, of_an_interface_call_passes_one_slot_more) {
  fork({}, op::kInvokeinterface);
  ASSERT_EQ(edit->refused, std::nullopt);
  EXPECT_EQ(edit->after->instructions.code()[at(6).pc + 3], 3U);
  EXPECT_EQ(at(3).target, 9U);
  EXPECT_EQ(at(8).target, 10U);
}

// A longer one, and all that follows moves.
TEST(CodeEditor, another_call_takes_the_place_of_an_invoke) {
  ClassBuilder builder;
  CodeBuilder code;
  const auto f = builder.method_ref("B", "f", "()V");
  const auto loop = code.here();
  const auto call = code.here();
  code.op2(op::kInvokestatic, f);
  code.jump(op::kGoto, loop);
  Editing edit(code, {.version = 48}, std::move(builder));
  edit.editor().redirect(edit.at(call), {.opcode = op::kInvokedynamic, .constant = 7, .takes_null = false});
  edit.editor().insert_on_arrival(edit.at(call), edit.call());
  edit.finish();
  ASSERT_EQ(edit.refused, std::nullopt);
  ASSERT_EQ(edit.after->instructions.size(), 3U);
  const Instruction& taken = edit.after->instructions[1];
  EXPECT_EQ(taken.opcode, op::kInvokedynamic);
  EXPECT_EQ(taken.length, 5U);
  EXPECT_EQ(edit.after->instructions.code()[taken.pc + 2], 7U);
  EXPECT_EQ(edit.after->instructions.code()[taken.pc + 3], 0U);
  EXPECT_EQ(edit.after->instructions[2].pc, taken.pc + 5);
  EXPECT_EQ(edit.after->instructions[2].target, 0U);
}

TEST_F(ForkTest, to_another_kind_of_call_leads_behind_the_call_as_it_is) {
  fork({}, op::kInvokestatic, {.opcode = op::kInvokedynamic, .constant = 7, .takes_null = false});
  ASSERT_EQ(edit->refused, std::nullopt);
  // aconst_null, iconst_0, iconst_2, ifeq, p, invokedynamic, p, goto, f, return
  ASSERT_EQ(edit->after->instructions.size(), 10U);
  EXPECT_EQ(at(3).target, 8U);
  EXPECT_EQ(at(5).opcode, op::kInvokedynamic);
  EXPECT_EQ(at(7).target, 9U);
}

TEST_F(ForkTest, has_frames_where_its_ways_begin_and_end) {
  fork({});
  const auto table = edit->attribute("StackMapTable");
  ASSERT_TRUE(table);
  StackMap map = StackMap::initial("()V", true, false, 1).value();
  ASSERT_EQ(map.parse(*table), StackMap::ParseResult::kOk);
  ASSERT_EQ(map.frames.size(), 2U);
  EXPECT_EQ(map.frames[0].position, at(9).pc);
  EXPECT_EQ(map.frames[0].stack, (Types{{VerificationType::kNull}, {VerificationType::kInteger}}));
  EXPECT_EQ(map.frames[1].position, at(10).pc);
  EXPECT_EQ(map.frames[1].stack, (Types{{VerificationType::kNull}}));
}

TEST_F(ForkTest, needs_no_frames_in_old_classes) {
  fork({.version = 48});
  EXPECT_EQ(edit->refused, std::nullopt);
  EXPECT_FALSE(edit->attribute("StackMapTable"));
}

}  // namespace
}  // namespace bursar::classfile
