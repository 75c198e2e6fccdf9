#include "classfile/control_flow.h"

#include <gtest/gtest.h>

#include "built_method.h"

namespace bursar::classfile {
namespace {

using Indices = std::vector<std::uint32_t>;

// The flow of some code, and its blocks by the labels they begin at.
class Flow {
 public:
  explicit Flow(const CodeBuilder& code, unsigned version = 49)
      : code_(code),
        method_(code, {.descriptor = "(I)V", .version = version}),
        flow_(ControlFlow::of(method_.code).value()) {}

  std::uint32_t at(CodeBuilder::Label label) const {
    const std::uint32_t index = method_.instructions().index_at(code_.pc_of(label));
    const std::uint32_t block = flow_.block_of(index);
    EXPECT_EQ(flow_.blocks()[block].first, index) << "no block begins there";
    return block;
  }
  const Block& block(CodeBuilder::Label label) const { return flow_.blocks()[at(label)]; }
  const std::vector<Block>& blocks() const { return flow_.blocks(); }
  const ControlFlow& flow() const { return flow_; }

 private:
  const CodeBuilder& code_;
  BuiltMethod method_;
  ControlFlow flow_;
};

TEST(ControlFlow, straight_code_is_one_block) {
  CodeBuilder code;
  code.nops(3);
  code.op(op::kReturn);
  const Flow flow(code);
  ASSERT_EQ(flow.blocks().size(), 1U);
  EXPECT_EQ(flow.blocks()[0].first, 0U);
  EXPECT_EQ(flow.blocks()[0].last, 3U);
  EXPECT_TRUE(flow.blocks()[0].successors.empty());
  EXPECT_TRUE(flow.blocks()[0].reachable);
  EXPECT_EQ(flow.flow().post_order(), Indices{0});
}

TEST(ControlFlow, a_conditional_jump_has_two_ways_on) {
  CodeBuilder code;
  const auto start = code.here(), join = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, join);
  const auto then = code.here();
  code.op(op::kNop);
  code.bind(join);
  code.op(op::kReturn);
  const Flow flow(code);
  EXPECT_EQ(flow.blocks().size(), 3U);
  EXPECT_EQ(flow.block(start).successors, (Indices{flow.at(then), flow.at(join)}));
  EXPECT_EQ(flow.block(then).successors, Indices{flow.at(join)});
  EXPECT_EQ(flow.block(join).predecessors, 2U);
  EXPECT_EQ(flow.block(start).predecessors, 0U);
}

TEST(ControlFlow, a_jump_to_the_next_instruction_is_one_edge) {
  CodeBuilder code;
  const auto start = code.here(), next = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, next);
  code.bind(next);
  code.op(op::kReturn);
  const Flow flow(code);
  EXPECT_EQ(flow.block(start).successors, Indices{flow.at(next)});
  EXPECT_EQ(flow.block(next).predecessors, 1U);
}

TEST(ControlFlow, a_switch_leads_to_each_target_once) {
  CodeBuilder code;
  const auto start = code.here(), one = code.label(), two = code.label(), otherwise = code.label();
  code.op(op::kIload0);
  code.tableswitch(0, otherwise, {two, one, two, otherwise});
  code.bind(one);
  code.op(op::kNop);
  code.bind(two);
  code.op(op::kNop);
  code.bind(otherwise);
  code.op(op::kReturn);
  const Flow flow(code);
  EXPECT_EQ(flow.block(start).successors, (Indices{flow.at(one), flow.at(two), flow.at(otherwise)}));
  EXPECT_EQ(flow.block(two).predecessors, 2U) << "from the switch and from the block before";
}

TEST(ControlFlow, code_that_nothing_leads_to_is_not_reachable) {
  CodeBuilder code;
  const auto end = code.label();
  code.jump(op::kGoto, end);
  const auto dead = code.here();
  code.op(op::kNop);
  code.bind(end);
  code.op(op::kReturn);
  const Flow flow(code);
  EXPECT_FALSE(flow.block(dead).reachable);
  EXPECT_TRUE(flow.block(end).reachable);
  EXPECT_EQ(flow.block(end).predecessors, 2U) << "dead code counts: the verifier looks at it too";
  EXPECT_EQ(flow.flow().post_order().size(), 2U);
}

TEST(ControlFlow, exceptions_lead_from_every_covered_block_to_the_handler) {
  CodeBuilder code;
  const auto before = code.here();
  code.op(op::kNop);
  const auto start = code.here(), other = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, other);
  const auto middle = code.here();
  code.op(op::kNop);
  const auto end = code.here();
  code.bind(other);
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kPop);
  code.op(op::kReturn);
  code.catches(start, end, handler);
  code.catches(start, middle, handler);
  const Flow flow(code);
  EXPECT_TRUE(flow.block(before).handlers.empty());
  EXPECT_EQ(flow.block(start).handlers, Indices{flow.at(handler)}) << "once, though two entries lead there";
  EXPECT_EQ(flow.block(middle).handlers, Indices{flow.at(handler)});
  EXPECT_TRUE(flow.block(other).handlers.empty());
  EXPECT_TRUE(flow.block(handler).is_handler);
  EXPECT_TRUE(flow.block(handler).reachable);
  EXPECT_EQ(flow.block(handler).predecessors, 0U) << "not by ordinary control flow";
  EXPECT_FALSE(flow.block(start).is_handler);
}

TEST(ControlFlow, a_retreating_edge_makes_a_loop_header) {
  CodeBuilder code;
  code.op(op::kNop);
  const auto head = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, head);
  const auto end = code.here();
  code.op(op::kReturn);
  const Flow flow(code);
  EXPECT_TRUE(flow.block(head).is_loop_header);
  EXPECT_FALSE(flow.block(end).is_loop_header);
  EXPECT_FALSE(flow.blocks()[0].is_loop_header);
  ASSERT_EQ(flow.flow().retreating_edges().size(), 1U);
  EXPECT_EQ(flow.flow().retreating_edges()[0].latch, flow.at(head));
  EXPECT_EQ(flow.flow().retreating_edges()[0].header, flow.at(head));
}

TEST(ControlFlow, a_backward_jump_that_closes_no_cycle_makes_no_loop) {
  CodeBuilder code;
  const auto forth = code.label(), back = code.label();
  code.jump(op::kGoto, forth);
  code.bind(back);
  code.op(op::kReturn);
  code.bind(forth);
  code.jump(op::kGoto, back);
  const Flow flow(code);
  EXPECT_FALSE(flow.block(back).is_loop_header);
}

TEST(ControlFlow, a_handler_that_covers_itself_is_no_loop_header) {
  CodeBuilder code;
  const auto start = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kPop);
  const auto end = code.here();
  code.op(op::kReturn);
  code.catches(start, handler, handler);
  code.catches(handler, end, handler);
  const Flow flow(code);
  EXPECT_EQ(flow.block(handler).handlers, Indices{flow.at(handler)});
  EXPECT_FALSE(flow.block(handler).is_loop_header);
  EXPECT_TRUE(flow.flow().retreating_edges().empty());
}

TEST(ControlFlow, a_loop_that_passes_an_exception_edge_only_is_none) {
  CodeBuilder code;
  const auto again = code.here();
  code.op(op::kNop);
  const auto end = code.here();
  code.op(op::kReturn);
  const auto handler = code.here();
  code.op(op::kPop);
  code.jump(op::kGoto, again);
  code.catches(again, end, handler);
  const Flow flow(code);
  // Around and around by a goto: that edge retreats, so its target is a header. The handler is not.
  EXPECT_TRUE(flow.block(again).is_loop_header);
  EXPECT_FALSE(flow.block(handler).is_loop_header);
}

TEST(ControlFlow, a_ret_may_return_behind_any_jsr) {
  CodeBuilder code;
  const auto sub = code.label();
  const auto first = code.here();
  code.jump(op::kJsr, sub);
  const auto second = code.here();
  code.jump(op::kJsrW, sub);
  const auto end = code.here();
  code.op(op::kReturn);
  code.bind(sub);
  code.op1(op::kAstore, 1);
  code.op1(op::kRet, 1);
  const Flow flow(code);
  EXPECT_EQ(flow.block(first).successors, Indices{flow.at(sub)}) << "a jsr does not fall through";
  EXPECT_EQ(flow.block(sub).successors, (Indices{flow.at(second), flow.at(end)}));
  EXPECT_TRUE(flow.block(end).reachable);
}

TEST(ControlFlow, blocks_tile_the_code) {
  CodeBuilder code;
  const auto start = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, start);
  code.op(op::kNop);
  const auto end = code.here();
  code.jump(op::kGoto, start);
  code.catches(start, end, end);
  const Flow flow(code);
  std::uint32_t next = 0;
  for (std::uint32_t b = 0; b < flow.blocks().size(); ++b) {
    EXPECT_EQ(flow.blocks()[b].first, next);
    for (std::uint32_t i = next; i <= flow.blocks()[b].last; ++i) EXPECT_EQ(flow.flow().block_of(i), b);
    next = flow.blocks()[b].last + 1;
  }
  EXPECT_EQ(next, 4U);
}

TEST(ControlFlow, gives_up_on_a_hostile_exception_table) {
  const auto edges = [](std::uint32_t blocks, std::uint32_t entries) {
    CodeBuilder code;
    const auto start = code.here(), end = code.label();
    for (std::uint32_t i = 0; i + 1 < blocks; ++i) code.jump(op::kIfeq, start);
    const auto handler = code.here();
    code.op(op::kReturn);
    code.bind(end);
    for (std::uint32_t i = 0; i < entries; ++i) code.catches(start, end, handler);
    const BuiltMethod method(code, {.descriptor = "(I)V", .version = 49});
    return ControlFlow::of(method.code).has_value();
  };
  EXPECT_TRUE(edges(1000, 1000));
  EXPECT_FALSE(edges(1100, 1000)) << "more than a million edges";
}

TEST(ControlFlow, gives_up_on_hostile_subroutines) {
  const auto edges = [](std::uint32_t calls, std::uint32_t returns) {
    CodeBuilder code;
    const auto sub = code.label();
    for (std::uint32_t i = 0; i < calls; ++i) code.jump(op::kJsr, sub);
    code.bind(sub);
    for (std::uint32_t i = 0; i < returns; ++i) code.op1(op::kRet, 1);
    const BuiltMethod method(code, {.descriptor = "(I)V", .version = 48});
    return ControlFlow::of(method.code).has_value();
  };
  EXPECT_TRUE(edges(1000, 1000));
  EXPECT_FALSE(edges(5000, 5000));
}

}  // namespace
}  // namespace bursar::classfile
