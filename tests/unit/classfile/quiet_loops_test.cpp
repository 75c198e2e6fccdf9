#include "classfile/quiet_loops.h"

#include <gtest/gtest.h>

#include "built_method.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {
namespace {

using enum VerificationType::Tag;

// An outer loop that begins with `outer_stack`, and in it one that begins with an int more on the stack.
class Nested {
 public:
  explicit Nested(const Types& outer_stack = {}, std::size_t filler = 0) {
    Types inner_stack = outer_stack;
    inner_stack.push_back({kInteger, 0});
    for (std::size_t i = 0; i < outer_stack.size(); ++i) code.op(op::kIconst0);
    outer = code.pc();
    const auto outer_start = code.here();
    code.op(op::kIconst0);
    inner = code.pc();
    const auto inner_start = code.here();
    code.nops(filler);
    code.op(op::kIload0);
    inner_jump = code.pc();
    code.jump(op::kIfeq, inner_start);
    code.op(op::kPop);
    code.op(op::kIload0);
    code.jump(op::kIfeq, outer_start);
    code.op(op::kReturn);
    size = code.pc();
    StackMap map = StackMap::initial("(I)V", true, false, 1).value();
    map.frames = {{.position = outer, .locals = map.initial_locals(), .stack = outer_stack},
                  {.position = inner, .locals = map.initial_locals(), .stack = inner_stack}};
    ConstantPool pool;
    code.attributes.push_back({"StackMapTable", map.write(pool).value()});
    code.max_stack = static_cast<std::uint32_t>(inner_stack.size() + 1);
    method.emplace(code, MethodHead{.descriptor = "(I)V"});
    quiet = with_quiet_loops(method->file, method->method(), method->method().attributes.at(0).data);
  }
  bool has_loop_of_no_entry(const CodeAttribute& of) const {
    const ControlFlow flow = ControlFlow::of(of).value();
    return classfile::has_loop_of_no_entry(
        {"Test", "run", "(I)V", kAccStatic, method->file, method->method(), of, flow});
  }

  CodeBuilder code;
  std::uint32_t outer = 0, inner = 0, inner_jump = 0, size = 0;
  std::optional<BuiltMethod> method;
  std::optional<ByteVector> quiet;
};

TEST(QuietLoops, an_inner_loop_with_something_on_the_stack_goes_round_through_a_switch) {
  const Nested nested;
  ASSERT_TRUE(nested.quiet);
  const CodeAttribute code = CodeAttribute::parse(*nested.quiet, nested.method->file.pool).value();
  const Instructions& all = code.instructions;
  const Instruction& jump = all[all.index_at(nested.inner_jump)];
  EXPECT_EQ(jump.opcode, op::kIfeq);
  EXPECT_EQ(all[jump.target].pc, nested.size) << "forwards, to behind the method";
  const Instruction& way = all[jump.target + 1];
  EXPECT_EQ(way.opcode, op::kLookupswitch);
  EXPECT_EQ(way.case_count, 0U);
  EXPECT_EQ(all[way.target].pc, nested.inner);
  EXPECT_EQ(code.max_stack, nested.code.max_stack);
  EXPECT_FALSE(nested.has_loop_of_no_entry(nested.method->code)) << "it will be quiet";
  EXPECT_FALSE(nested.has_loop_of_no_entry(code));
}

TEST(QuietLoops, the_switch_has_the_frame_of_the_loop_it_leads_to) {
  const Nested nested;
  const CodeAttribute code = CodeAttribute::parse(nested.quiet.value(), nested.method->file.pool).value();
  StackMap map = StackMap::initial("(I)V", true, false, 1).value();
  ASSERT_EQ(map.parse(code.attributes.at(0).data), StackMap::ParseResult::kOk);
  ASSERT_EQ(map.frames.size(), 4U) << "one for what stands behind it, as the verifier wants something to";
  EXPECT_EQ(map.frames[2].position, nested.size);
  EXPECT_EQ(map.frames[2].locals, map.frames[1].locals);
  EXPECT_EQ(map.frames[2].stack, map.frames[1].stack);
}

TEST(QuietLoops, a_loop_beside_one_to_enter_at_is_quiet_and_still_has_no_entry) {
  CodeBuilder code;
  const auto first = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, first);
  code.op(op::kIconst0);
  const auto second = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, second);
  code.op(op::kPop);
  code.op(op::kReturn);
  StackMap map = StackMap::initial("(I)V", true, false, 1).value();
  map.frames = {{.position = code.pc_of(first), .locals = map.initial_locals(), .stack = {}},
                {.position = code.pc_of(second), .locals = map.initial_locals(), .stack = {{kInteger, 0}}}};
  ConstantPool pool;
  code.attributes.push_back({"StackMapTable", map.write(pool).value()});
  code.max_stack = 2;
  BuiltMethod method(code, {.descriptor = "(I)V"});
  const auto quiet = with_quiet_loops(method.file, method.method(), method.method().attributes.at(0).data);
  ASSERT_TRUE(quiet);
  const CodeAttribute changed = CodeAttribute::parse(*quiet, method.file.pool).value();
  for (const Instruction& each : changed.instructions) {
    if (each.opcode != op::kIfeq) continue;
    const bool goes_back = changed.instructions[each.target].pc <= each.pc;
    EXPECT_EQ(goes_back, each.pc < code.pc_of(second)) << "the first only";
  }
  const ControlFlow flow = ControlFlow::of(changed).value();
  EXPECT_TRUE(has_loop_of_no_entry({"Test", "run", "(I)V", kAccStatic, method.file, method.method(), changed, flow}));
}

TEST(QuietLoops, where_there_is_no_loop_to_enter_at_all_stay_as_they_are) {
  const Nested nested({{kInteger, 0}});
  EXPECT_FALSE(nested.quiet);
  EXPECT_TRUE(nested.has_loop_of_no_entry(nested.method->code));
}

TEST(QuietLoops, what_the_jit_would_compile_no_more_stays_as_it_is) {
  EXPECT_TRUE(Nested({}, 7900).quiet);
  EXPECT_FALSE(Nested({}, 7980).quiet);
}

TEST(QuietLoops, so_does_a_loop_whose_jump_would_not_reach_the_end) {
  EXPECT_TRUE(Nested({}, 32700).quiet);
  CodeBuilder code;
  const auto outer = code.here();
  code.op(op::kIconst0);
  const auto inner = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, inner);
  code.op(op::kPop);
  code.op(op::kIload0);
  code.jump(op::kIfeq, outer);
  code.nops(33000);
  const auto far = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, far);
  code.op(op::kReturn);
  StackMap map = StackMap::initial("(I)V", true, false, 1).value();
  map.frames = {{.position = code.pc_of(outer), .locals = map.initial_locals(), .stack = {}},
                {.position = code.pc_of(inner), .locals = map.initial_locals(), .stack = {{kInteger, 0}}},
                {.position = code.pc_of(far), .locals = map.initial_locals(), .stack = {}}};
  ConstantPool pool;
  code.attributes.push_back({"StackMapTable", map.write(pool).value()});
  BuiltMethod method(code, {.descriptor = "(I)V"});
  EXPECT_FALSE(with_quiet_loops(method.file, method.method(), method.method().attributes.at(0).data));
}

TEST(QuietLoops, damaged_code_stays_as_it_is) {
  const Nested nested;
  ByteVector bytes(nested.method->method().attributes.at(0).data.begin(),
                   nested.method->method().attributes.at(0).data.end());
  BuiltMethod other(nested.code, {.descriptor = "(I)V"});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(with_quiet_loops(other.file, other.method(), base::Bytes(bytes).first(length)));
  }
}

}  // namespace
}  // namespace bursar::classfile
