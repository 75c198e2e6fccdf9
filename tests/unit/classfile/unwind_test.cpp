// The unwind of an edited method: where it stands, what leads there, its frame.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>

#include "classfile/unwind_cover.h"
#include "editing.h"

namespace bursar::classfile {
namespace {

constexpr NewLocal kInt{NewLocal::Type::kInt, ""};
constexpr unsigned kThrows = 0xbe;  // arraylength: one byte that can throw
using enum VerificationType::Tag;

CodeBuilder throwing() {
  CodeBuilder code;
  code.max_stack = 1;
  code.max_locals = 3;
  code.op(op::kAconstNull);
  code.op(kThrows);
  code.op(op::kPop);
  code.op(op::kReturn);
  return code;
}

std::vector<std::uint8_t> opcodes(const CodeAttribute& code) {
  std::vector<std::uint8_t> result;
  for (const Instruction& instruction : code.instructions) result.push_back(instruction.opcode);
  return result;
}

TEST(Unwind, stands_behind_the_code_and_throws_again) {
  const CodeBuilder code = throwing();
  Editing edit(code, {.version = 49});
  edit.editor().prepend(edit.call());
  edit.editor().insert_on_unwind(edit.call());
  const CodeAttribute& after = edit.finish();
  EXPECT_EQ(opcodes(after), (ByteVector{op::kInvokestatic, op::kAconstNull, kThrows, op::kPop, op::kReturn,
                                        op::kInvokestatic, op::kAthrow}));
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{3, 7, 7}})) << "neither the prologue nor itself";
  EXPECT_EQ(after.exceptions[0].catch_type, 0);
  EXPECT_FALSE(edit.attribute("StackMapTable")) << "the old verifier needs none";
}

TEST(Unwind, comes_after_the_handlers_of_the_method_and_covers_them) {
  CodeBuilder code = throwing();
  const auto start = code.label_at(0), end = code.label_at(3), handler = code.here();
  code.op(op::kAthrow);
  code.catches(start, end, handler, 0);
  Editing edit(code, {.version = 49});
  edit.editor().insert_on_unwind(edit.call());
  edit.finish();
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{0, 3, 4}, {0, 5, 5}}));
}

TEST(Unwind, covers_detours) {
  CodeBuilder code;
  const auto target = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, target);
  code.op(op::kAconstNull);
  code.op(op::kAthrow);
  code.bind(target);
  code.op(op::kReturn);
  Editing edit(code, {.descriptor = "(I)V", .version = 49});
  edit.editor().insert_on_jump(1, edit.at(target), edit.call());
  edit.editor().insert_on_unwind(edit.call());
  const CodeAttribute& after = edit.finish();
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{0, 13, 13}}));
  EXPECT_EQ(after.instructions[after.instructions.size() - 3].opcode, op::kGoto);
}

TEST(Unwind, covers_stepping_stones_too) {
  CodeBuilder code;
  const auto far = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, far);
  code.op(op::kReturn);
  code.nops(32760);
  code.bind(far);
  code.op(op::kAconstNull);
  code.op(op::kAthrow);
  Editing edit(code, {.descriptor = "(I)V", .version = 49});
  edit.editor().insert_on_arrival(10, edit.filler(20));
  edit.editor().insert_on_unwind(edit.call());
  edit.finish();
  const std::uint32_t size = 5 + 5 + 32760 + 20 + 2;
  EXPECT_EQ(edit.ranges(), (std::vector<Range>{{0, size, size}}));
}

TEST(Unwind, has_a_frame_with_nothing_but_the_new_locals_and_the_exception) {
  for (const LocalPlacement placement : {LocalPlacement::kAfterParameters, LocalPlacement::kAtEnd}) {
    for (const std::uint32_t version : {50U, 51U, 69U}) {
      const CodeBuilder code = throwing();
      Editing edit(code, {.descriptor = "(J)V", .version = version});
      ASSERT_EQ(edit.add_locals({kInt, {NewLocal::Type::kLong, ""}}, placement), std::nullopt);
      edit.editor().insert_on_unwind(edit.call());
      edit.finish();
      ASSERT_TRUE(edit.attribute("StackMapTable")) << "though the method had none";
      const std::vector<Frame> frames = edit.frames();
      ASSERT_EQ(frames.size(), 1U);
      EXPECT_EQ(frames[0].position, 4U);
      Types locals(placement == LocalPlacement::kAtEnd ? 3 : 2);
      locals.push_back({kInteger});
      locals.push_back({kLong});
      EXPECT_EQ(frames[0].locals, locals);
      ASSERT_EQ(frames[0].stack.size(), 1U);
      EXPECT_EQ(edit.new_pool->class_name(frames[0].stack[0].data), "java/lang/Throwable");
    }
  }
}

TEST(Unwind, adds_its_frame_behind_those_of_the_method) {
  CodeBuilder code;
  const auto target = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, target);
  code.bind(target);
  code.op(op::kAconstNull);
  code.op(op::kAthrow);
  code.attributes.push_back({"StackMapTable", {0, 1, 4}});
  Editing edit(code, {.descriptor = "(I)V"});
  edit.editor().insert_on_unwind(edit.call());
  const CodeAttribute& after = edit.finish();
  EXPECT_EQ(after.attributes.size(), 1U);
  ASSERT_EQ(edit.frames().size(), 2U);
  EXPECT_EQ(edit.frames()[0].position, 4U);
  EXPECT_EQ(edit.frames()[1].position, 6U);
  EXPECT_TRUE(edit.frames()[1].locals.empty());
}

TEST(Unwind, needs_room_for_the_exception_below_its_own_values) {
  for (const std::uint32_t max_stack : {0U, 1U, 5U}) {
    CodeBuilder code = throwing();
    code.max_stack = max_stack;
    Editing edit(code, {.version = 49});
    edit.editor().insert_on_unwind(edit.filler(2));
    EXPECT_EQ(edit.finish().max_stack, std::max(2U, max_stack));
  }
}

TEST(Unwind, ends_the_variables_of_the_method) {
  CodeBuilder code = throwing();
  code.attributes.push_back({"LocalVariableTable", {0, 1, 0, 0, 0, 4, 0, 1, 0, 1, 0, 0}});
  Editing edit(code, {.version = 49});
  edit.editor().insert_on_unwind(edit.call());
  edit.finish();
  EXPECT_EQ((*edit.attribute("LocalVariableTable"))[5], 4);
}

TEST(Unwind, is_refused_where_a_limit_is_reached) {
  CodeBuilder large;
  large.nops(65530);
  large.op(op::kAconstNull);
  large.op(op::kAthrow);
  const auto with_call = [](const CodeBuilder& code, bool twice) {
    Editing edit(code, {.version = 49});
    edit.editor().insert_on_unwind(twice ? edit.filler(4) : edit.filler(2));
    edit.finish();
    return edit.refused;
  };
  EXPECT_EQ(with_call(large, false), std::nullopt);
  EXPECT_EQ(with_call(large, true), SkipReason::kCodeTooLarge);

  CodeBuilder full = throwing();
  const auto start = full.label_at(0), end = full.label_at(3);
  for (int i = 0; i < 65534; ++i) full.catches(start, end, end);
  EXPECT_EQ(with_call(full, false), std::nullopt);
  full.catches(start, end, end);
  EXPECT_EQ(with_call(full, false), SkipReason::kTableFull);
}

TEST(Unwind, needs_room_in_the_pool_for_its_frame) {
  ClassBuilder builder;
  for (std::uint32_t i = 0; builder.count() < 65527; ++i) builder.integer(i);
  const CodeBuilder code = throwing();
  Editing edit(code, {}, builder);  // its own names take the rest
  Snippet snippet = edit.filler(2);
  edit.editor().insert_on_unwind(snippet);
  edit.finish();
  EXPECT_EQ(edit.refused, SkipReason::kConstantPoolFull);
}

TEST(Unwind, is_of_no_use_where_nothing_can_throw) {
  const auto asks = [](const std::function<void(CodeBuilder&, ClassBuilder&)>& write) {
    ClassBuilder builder;
    CodeBuilder code;
    write(code, builder);
    code.op(op::kReturn);
    return Editing(code, {.version = 49}, builder).editor().can_unwind();
  };
  EXPECT_FALSE(asks([](CodeBuilder&, ClassBuilder&) {}));
  EXPECT_FALSE(asks([](CodeBuilder& code, ClassBuilder& builder) {
    code.op2(op::kLdcW, builder.integer(7));
    code.op2(op::kLdc2W, builder.long_of(7));
    code.op(op::kLadd);
    code.iinc(0, 1);
  }));
  EXPECT_FALSE(asks([](CodeBuilder& code, ClassBuilder&) {
    const auto ahead = code.label();
    code.jump(op::kIfeq, ahead);
    code.bind(ahead);
  }));
  EXPECT_TRUE(asks([](CodeBuilder& code, ClassBuilder& builder) { code.op2(op::kLdcW, builder.cls("C")); }))
      << "a class may be missing";
  EXPECT_TRUE(asks([](CodeBuilder& code, ClassBuilder&) { code.jump(op::kIfeq, code.here()); }))
      << "a loop can be stopped";
  for (const unsigned opcode : {0x2eU, 0x35U, 0x4fU, 0x56U, 0x6cU, 0x6dU, 0x70U, 0x71U, kThrows, 0xc2U, 0xc3U}) {
    EXPECT_TRUE(asks([=](CodeBuilder& code, ClassBuilder&) { code.op(opcode); })) << opcode;
  }
  for (const unsigned opcode : {0x60U, 0x6eU, 0x6fU, 0x72U, 0x73U, 0x57U}) {
    EXPECT_FALSE(asks([=](CodeBuilder& code, ClassBuilder&) { code.op(opcode); })) << opcode;
  }
}

// A constructor; its parts as text, one letter for each instruction: before super, main, none.
class Constructor {
 public:
  ClassBuilder builder;
  CodeBuilder code;

  Constructor() { builder.super_name = "S"; }
  void init(std::string_view cls, std::string_view descriptor = "()V") {
    code.op2(op::kInvokespecial, builder.method_ref(cls, "<init>", descriptor));
  }
  std::string parts(std::uint32_t version = 61) const {
    const BuiltMethod method(code, {.descriptor = "(IJ)V", .access = 0, .name = "<init>", .version = version}, builder);
    auto map = StackMap::initial("(IJ)V", false, true, method.file.this_class).value();
    for (const Attribute& attribute : method.code.attributes) {
      if (method.file.attribute_name(attribute) == "StackMapTable") map.parse(attribute.data);
    }
    const UnwindCover cover = UnwindCover::of(method.file, method.method(), method.code, map);
    std::string result;
    for (std::uint32_t i = 0; i < method.instructions().size(); ++i) {
      result += "mb-"[static_cast<std::size_t>(cover.part_of(i))];
    }
    return result;
  }
};

TEST(UnwindOfConstructor, leaves_out_the_call_of_super) {
  Constructor c;
  c.code.op(op::kAload0);
  c.init("S");
  c.code.op(op::kAconstNull);
  c.code.op(op::kAthrow);
  EXPECT_EQ(c.parts(), "b-mm");
  EXPECT_EQ(c.parts(50), "b-mm");
  EXPECT_EQ(c.parts(49), "mmmm") << "the old verifier makes no difference";
}

TEST(UnwindOfConstructor, tells_super_from_objects_of_the_same_class) {
  Constructor c;
  c.code.op(op::kAload0);
  c.code.op2(op::kNew, c.builder.cls("S"));
  c.code.op(op::kDup);
  c.init("S");
  c.init("S", "(LS;)V");
  c.code.op2(op::kNew, c.builder.cls("S"));
  c.code.op(op::kDup);
  c.init("S");
  c.code.op(op::kAthrow);
  EXPECT_EQ(c.parts(), "bbbb-mmmm");
}

TEST(UnwindOfConstructor, follows_this_through_locals_and_stack) {
  Constructor c;
  c.code.op(op::kAload0);
  c.code.op1(op::kAstore, 5);
  c.code.op(0x1f);  // lload_1: not its type, but two slots
  c.code.op1(op::kAload, 5);
  c.code.op(0x5b);  // dup_x2
  c.code.op(op::kPop);
  c.code.op(op::kPop2);
  c.code.op(op::kIconst0);
  c.code.op(op::kSwap);
  c.init("S");
  c.code.op(op::kPop);
  c.code.op(op::kReturn);
  EXPECT_EQ(c.parts(), "bbbbbbbbb-mm");
}

TEST(UnwindOfConstructor, covers_nothing_where_this_is_not_in_its_place) {
  Constructor c;
  c.code.op(op::kAload0);
  c.code.op(op::kAconstNull);
  c.code.op(0x4b);  // astore_0
  c.code.op(op::kNop);
  c.init("S");
  c.code.op(op::kReturn);
  EXPECT_EQ(c.parts(), "bbb--m");
}

TEST(UnwindOfConstructor, takes_up_the_state_of_frames) {
  Constructor c;
  const auto other = c.code.label(), join = c.code.label();
  c.code.op(op::kAload0);         // 0
  c.code.op1(op::kIload, 1);      // 1
  c.code.jump(op::kIfeq, other);  // 3
  c.code.op(op::kIconst0);        // 6
  c.code.jump(op::kGoto, join);   // 7
  c.code.bind(other);             // 10: this
  c.code.op(op::kIconst0);
  c.code.bind(join);  // 11: this, int
  c.init("S", "(I)V");
  c.code.op(op::kAconstNull);  // 14
  c.code.op(op::kAthrow);      // 15
  c.code.op(op::kReturn);      // 16: without a frame nothing is known of it
  EXPECT_EQ(c.parts(), "bbbbb-----") << "lost behind the goto";
  c.code.attributes.push_back({"StackMapTable", {0, 2, 64 + 10, 6, 255, 0, 0, 0, 3, 6, 1, 4, 0, 2, 6, 1}});
  EXPECT_EQ(c.parts(), "bbbbbb-mm-");
}

TEST(UnwindOfConstructor, has_a_block_for_each_part_that_can_throw) {
  const auto edit = [](bool before, bool behind) {
    ClassBuilder builder;
    CodeBuilder code;
    code.max_locals = 2;
    const auto throws = [&] {
      code.op(op::kAconstNull);
      code.op(kThrows);
      code.op(op::kPop);
    };
    if (before) throws();
    code.op(op::kAload0);
    code.op2(op::kInvokespecial, builder.method_ref("java/lang/Object", "<init>", "()V"));
    if (behind) throws();
    code.op(op::kReturn);
    Editing editing(code, {.access = 0, .name = "<init>"}, builder);
    EXPECT_EQ(editing.add_locals({kInt}, LocalPlacement::kAfterParameters), std::nullopt);
    if (!editing.editor().can_unwind()) return std::pair(std::vector<Range>{}, std::vector<Types>{});
    editing.editor().insert_on_unwind(editing.call());
    editing.finish();
    std::vector<Types> locals;
    for (const Frame& frame : editing.frames()) locals.push_back(frame.locals);
    return std::pair(editing.ranges(), locals);
  };
  const Types main = {{kTop}, {kInteger}}, early = {{kUninitializedThis}, {kInteger}};
  using Expected = std::pair<std::vector<Range>, std::vector<Types>>;
  EXPECT_EQ(edit(false, false), Expected());
  EXPECT_EQ(edit(false, true), (Expected{{{4, 8, 8}}, {main}}));
  EXPECT_EQ(edit(true, false), (Expected{{{0, 4, 8}}, {early}}));
  EXPECT_EQ(edit(true, true), (Expected{{{0, 4, 15}, {7, 11, 11}}, {main, early}}));
}

}  // namespace
}  // namespace bursar::classfile
