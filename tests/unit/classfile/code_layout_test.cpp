#include "classfile/code_layout.h"

#include <gtest/gtest.h>

#include <memory>

#include "class_builder.h"

namespace bursar::classfile {
namespace {

using Outcome = CodeLayout::Outcome;

// Code under edit. Inserted bytes are whatever a test likes.
class Edit {
 public:
  explicit Edit(const CodeBuilder& builder, std::uint32_t max_locals = 300)
      : old_code(builder.code()),
        instructions(Instructions::parse(old_code, max_locals).value()),
        layout(instructions) {}
  Edit(const Edit&) = delete;
  Edit& operator=(const Edit&) = delete;

  CodePiece piece(std::size_t size, std::uint8_t filler = op::kNop) {
    const auto begin = static_cast<std::uint32_t>(layout.inserted.size());
    layout.inserted.insert(layout.inserted.end(), size, filler);
    return {begin, static_cast<std::uint32_t>(layout.inserted.size())};
  }
  ByteVector run() {
    EXPECT_EQ(layout.run(), Outcome::kOk);
    return layout.code();
  }
  std::uint32_t index(const CodeBuilder& builder, CodeBuilder::Label label) const {
    return instructions.index_at(builder.pc_of(label));
  }

  ByteVector old_code;
  Instructions instructions;
  CodeLayout layout;
};

Instructions parse(const ByteVector& code) {
  return Instructions::parse(code, 65535).value();
}

TEST(CodeLayout, without_edits_gives_the_old_code) {
  for (std::size_t before = 0; before < 4; ++before) {
    CodeBuilder code;
    const auto start = code.here(), end = code.label();
    code.nops(before);
    code.wide(op::kIload, 2);
    code.op(op::kIload0 + 3);
    code.op1(op::kIstore, 1);
    code.iinc(7, -1);
    code.wide_iinc(7, -1);
    code.jump(op::kIfeq, end);
    code.lookupswitch(start, {{1, end}});
    code.tableswitch(5, end, {start, end});
    code.jump(op::kGotoW, start);
    code.jump(op::kJsr, start);
    code.bind(end);
    code.op(op::kReturn);
    Edit edit(code);
    EXPECT_EQ(edit.run(), edit.old_code);
    EXPECT_EQ(edit.layout.size(), edit.old_code.size());
  }
}

TEST(CodeLayout, puts_pieces_in_order_before_their_instruction) {
  CodeBuilder code;
  code.op(op::kIconst0);
  code.op(op::kPop);
  code.op(op::kReturn);
  Edit edit(code);
  edit.layout.prologue = edit.piece(1, 0x04);
  edit.layout.on_fall_through[1] = edit.piece(2, 0x05);
  edit.layout.on_arrival[1] = edit.piece(1, 0x06);
  const ByteVector expected = {0x04, op::kIconst0, 0x05, 0x05, 0x06, op::kPop, op::kReturn};
  EXPECT_EQ(edit.run(), expected);
  EXPECT_EQ(edit.layout.edge_position(0), 1U);
  EXPECT_EQ(edit.layout.edge_position(1), 2U);
  EXPECT_EQ(edit.layout.arrival_position(1), 4U);
  EXPECT_EQ(edit.layout.position(1), 5U);
  EXPECT_EQ(edit.layout.end_of_instructions(), 7U);
}

TEST(CodeLayout, jumps_lead_past_what_is_for_fall_through_and_to_what_is_on_arrival) {
  CodeBuilder code;
  const auto start = code.here(), middle = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, middle);
  code.op(op::kNop);
  code.bind(middle);
  code.op(op::kIload0);
  code.jump(op::kIfeq, start);
  code.op(op::kReturn);
  Edit edit(code);
  edit.layout.prologue = edit.piece(5);
  edit.layout.on_arrival[0] = edit.piece(2);
  edit.layout.on_fall_through[edit.index(code, middle)] = edit.piece(7);
  edit.layout.on_arrival[edit.index(code, middle)] = edit.piece(3);
  const ByteVector bytes = edit.run();
  const Instructions after = parse(bytes);
  const auto jump_from = [&](std::uint32_t old_index) {
    const Instruction& jump = after[after.index_at(edit.layout.position(old_index))];
    EXPECT_EQ(jump.opcode, op::kIfeq);
    return after[jump.target].pc;
  };
  EXPECT_EQ(jump_from(1), edit.layout.arrival_position(edit.index(code, middle)));
  EXPECT_EQ(jump_from(4), 5U) << "the prologue runs once";
}

TEST(CodeLayout, pads_switches_anew_at_every_alignment) {
  for (std::uint32_t before = 0; before < 4; ++before) {
    for (std::size_t inserted = 0; inserted < 8; ++inserted) {
      CodeBuilder code;
      const auto start = code.here(), end = code.label();
      code.nops(before);
      code.tableswitch(-3, start, {end, start});
      code.lookupswitch(end, {{-9, start}, {70000, end}});
      code.bind(end);
      code.op(op::kReturn);
      Edit edit(code);
      edit.layout.prologue = edit.piece(inserted);
      const ByteVector bytes = edit.run();
      const Instructions after = parse(bytes);
      const std::uint32_t table = before, lookup = before + 1;
      const Instruction& t = after[after.index_at(edit.layout.position(table))];
      const Instruction& l = after[after.index_at(edit.layout.position(lookup))];
      ASSERT_EQ(t.opcode, op::kTableswitch);
      ASSERT_EQ(l.opcode, op::kLookupswitch);
      EXPECT_EQ(after[t.target].pc, inserted);
      EXPECT_EQ(after.case_targets(t)[0], after.size() - 1);
      EXPECT_EQ(after[after.case_targets(t)[1]].pc, inserted);
      EXPECT_EQ(l.target, after.size() - 1);
      const std::uint32_t keys = t.pc / 4 * 4 + 8, pairs = l.pc / 4 * 4 + 8;
      EXPECT_EQ(ByteVector(&bytes[keys], &bytes[keys] + 8),
                (ByteVector{0xff, 0xff, 0xff, 0xfd, 0xff, 0xff, 0xff, 0xfe}));
      EXPECT_EQ(ByteVector(&bytes[pairs], &bytes[pairs] + 8), (ByteVector{0, 0, 0, 2, 0xff, 0xff, 0xff, 0xf7}));
      EXPECT_EQ(ByteVector(&bytes[pairs + 12], &bytes[pairs + 16]), (ByteVector{0, 1, 0x11, 0x70}));
    }
  }
}

// goto over `distance` bytes, forwards, then return; or a goto back to the start.
CodeBuilder far_goto(std::uint8_t opcode, std::size_t distance, bool forwards) {
  CodeBuilder code;
  const auto start = code.here(), end = code.label();
  if (forwards) {
    code.jump(opcode, end);
    code.nops(distance - 3);
    code.bind(end);
    code.op(op::kReturn);
  } else {
    code.nops(distance);
    code.jump(opcode, start);
  }
  return code;
}

TEST(CodeLayout, a_goto_or_jsr_that_outgrows_16_bits_becomes_wide) {
  for (const auto& [narrow, wide] : {std::pair(op::kGoto, op::kGotoW), std::pair(op::kJsr, op::kJsrW)}) {
    for (const bool forwards : {true, false}) {
      const std::size_t limit = forwards ? 32767 : 32768;
      for (const std::size_t growth : {9U, 10U, 11U}) {
        const CodeBuilder code = far_goto(narrow, limit - 10, forwards);
        Edit edit(code);
        edit.layout.on_fall_through[forwards ? 2 : 1] = edit.piece(growth);
        const ByteVector bytes = edit.run();
        const Instructions after = parse(bytes);
        const Instruction& jump = after[forwards ? 0 : after.size() - 1];
        EXPECT_EQ(jump.opcode, growth > 10 ? wide : narrow) << growth << forwards;
        EXPECT_EQ(jump.target, forwards ? after.size() - 1 : 0);
      }
    }
  }
}

// A conditional jump over `distance` bytes; the only place for a stepping stone is behind the return that follows it.
CodeBuilder far_branch(std::size_t distance, bool with_gap) {
  CodeBuilder code;
  const auto far = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, far);
  code.op(with_gap ? op::kReturn : op::kNop);
  code.nops(distance - 4);
  code.bind(far);
  code.op(op::kReturn);
  return code;
}

TEST(CodeLayout, a_conditional_jump_that_outgrows_16_bits_gets_a_stepping_stone) {
  const CodeBuilder code = far_branch(32760, true);
  Edit edit(code);
  edit.layout.on_fall_through[10] = edit.piece(20);
  const ByteVector bytes = edit.run();
  const Instructions after = parse(bytes);
  ASSERT_EQ(edit.layout.stones().size(), 1U);
  const SteppingStone& stone = edit.layout.stones()[0];
  EXPECT_EQ(stone.source, 1U);
  EXPECT_EQ(stone.position, 5U) << "behind the return";
  const Instruction& branch = after[1];
  EXPECT_EQ(branch.opcode, op::kIfeq);
  ASSERT_EQ(after[branch.target].pc, stone.position);
  EXPECT_EQ(after[branch.target].opcode, op::kGotoW);
  EXPECT_EQ(after[branch.target].target, after.size() - 1);
}

TEST(CodeLayout, a_stepping_stone_leads_to_the_detour) {
  const CodeBuilder code = far_branch(32767, true);
  Edit edit(code);
  const auto last = static_cast<std::uint32_t>(edit.instructions.size() - 1);
  edit.layout.detours.push_back({.source = 1, .target = last, .catches = false, .code = edit.piece(30)});
  const Instructions after = parse(edit.run());
  ASSERT_EQ(edit.layout.stones().size(), 1U);
  const Instruction& stone = after[after[1].target];
  EXPECT_EQ(stone.opcode, op::kGotoW);
  EXPECT_EQ(after[stone.target].pc, edit.layout.detours[0].position);
}

TEST(CodeLayout, gives_up_where_there_is_no_place_for_a_stepping_stone) {
  const CodeBuilder code = far_branch(32760, false);
  Edit edit(code);
  edit.layout.on_fall_through[10] = edit.piece(20);
  EXPECT_EQ(edit.layout.run(), Outcome::kOutOfReach);
}

TEST(CodeLayout, nothing_stands_between_a_jsr_and_where_its_subroutine_returns) {
  CodeBuilder code;
  const auto far = code.label();
  code.op(op::kIload0);
  code.jump(op::kIfeq, far);
  code.jump(op::kJsr, far);
  code.nops(32750);
  code.bind(far);
  code.op(op::kReturn);
  Edit edit(code);
  edit.layout.on_fall_through[10] = edit.piece(50);
  EXPECT_EQ(edit.layout.run(), Outcome::kOutOfReach);
}

TEST(CodeLayout, a_detour_holds_its_code_and_leads_to_its_target) {
  CodeBuilder code;
  const auto start = code.here();
  code.op(op::kIload0);
  code.jump(op::kIfeq, start);
  code.op(op::kReturn);
  Edit edit(code);
  edit.layout.on_arrival[0] = edit.piece(1);
  edit.layout.detours.push_back({.source = 1, .target = 0, .catches = false, .code = edit.piece(2, 0x05)});
  const ByteVector expected = {0, op::kIload0, op::kIfeq, 0, 4, op::kReturn, 5, 5, op::kGoto, 0xff, 0xf8};
  EXPECT_EQ(edit.run(), expected);
  EXPECT_EQ(edit.layout.detours[0].position, 6U);
  EXPECT_EQ(edit.layout.detour_size(edit.layout.detours[0]), 5U);
}

TEST(CodeLayout, detours_far_from_their_targets_end_in_goto_w) {
  CodeBuilder code;
  const auto start = code.here();
  code.nops(32770);
  code.op(op::kIload0);
  code.tableswitch(0, start, {start});
  Edit edit(code);
  const auto source = static_cast<std::uint32_t>(edit.instructions.size() - 1);
  edit.layout.detours.push_back({.source = source, .target = 0, .catches = false, .code = edit.piece(1)});
  const Instructions after = parse(edit.run());
  EXPECT_EQ(after[after.size() - 1].opcode, op::kGotoW);
  EXPECT_EQ(after[after.size() - 1].target, 0U);
  EXPECT_EQ(edit.layout.detour_size(edit.layout.detours[0]), 6U);
}

TEST(CodeLayout, an_exception_arrives_at_the_detour_of_its_handler) {
  CodeBuilder code;
  code.op(op::kPop);
  code.op(op::kReturn);
  Edit edit(code);
  edit.layout.on_arrival[1] = edit.piece(1);
  edit.layout.detours.push_back({.source = 0, .target = 0, .catches = true, .code = edit.piece(1)});
  edit.run();
  EXPECT_EQ(edit.layout.handler_position(0), edit.layout.detours[0].position);
  EXPECT_EQ(edit.layout.handler_position(1), edit.layout.arrival_position(1));
}

TEST(CodeLayout, refuses_code_beyond_65535_bytes) {
  CodeBuilder code;
  code.nops(65000);
  code.op(op::kReturn);
  for (const std::size_t inserted : {534U, 535U}) {
    Edit edit(code);
    edit.layout.prologue = edit.piece(inserted);
    EXPECT_EQ(edit.layout.run(), inserted == 534 ? Outcome::kOk : Outcome::kTooLarge);
  }
}

// Jumps of which each one that grows pushes just one more out of reach.
std::unique_ptr<Edit> chain_of_jumps(std::uint32_t count) {
  CodeBuilder code;
  std::vector<CodeBuilder::Label> targets;
  for (std::uint32_t i = 0; i < count; ++i) {
    targets.push_back(code.label());
    code.jump(op::kGoto, targets.back());
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    code.nops(3 * i + 32767 - 2 * (count - 1 - i) - code.pc());
    code.bind(targets[i]);
  }
  code.op(op::kReturn);
  auto edit = std::make_unique<Edit>(code);
  edit->layout.on_arrival[count] = edit->piece(1);
  return edit;
}

TEST(CodeLayout, follows_a_chain_of_growing_jumps_for_a_while_and_then_gives_up) {
  const auto short_chain = chain_of_jumps(20);
  const Instructions after = parse(short_chain->run());
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(after[i].opcode, op::kGotoW) << i;
  EXPECT_EQ(chain_of_jumps(5000)->layout.run(), Outcome::kOutOfReach);
}

ByteVector moved(const CodeBuilder& builder, std::uint32_t first_moved, std::uint32_t shift) {
  Edit edit(builder);
  edit.layout.move = {.first_moved = first_moved, .shift = shift};
  ByteVector code = edit.run();
  EXPECT_EQ(code.back(), op::kReturn);
  code.pop_back();
  return code;
}

ByteVector moved(const ByteVector& instruction, std::uint32_t first_moved, std::uint32_t shift) {
  CodeBuilder builder;
  for (const std::uint8_t byte : instruction) builder.op(byte);
  builder.op(op::kReturn);
  return moved(builder, first_moved, shift);
}

TEST(LocalMove, leaves_lower_locals_alone) {
  for (const ByteVector& code :
       std::vector<ByteVector>{{0x1b}, {0x15, 1}, {0xc4, 0x15, 0, 1}, {0x84, 1, 1}, {0xa9, 1, 0xb1}}) {
    EXPECT_EQ(moved(code, 2, 100), code);
  }
}

TEST(LocalMove, takes_one_byte_forms_apart_where_it_must) {
  for (unsigned kind = 0; kind < 5; ++kind) {
    for (const auto& [implicit, general] : {std::pair(0x1aU, 0x15U), std::pair(0x3bU, 0x36U)}) {
      const auto form = [&](unsigned local) { return static_cast<std::uint8_t>(implicit + 4 * kind + local); };
      const auto spelt_out = static_cast<std::uint8_t>(general + kind);
      EXPECT_EQ(moved({form(1)}, 1, 2), ByteVector{form(3)});
      EXPECT_EQ(moved({form(3)}, 3, 1), (ByteVector{spelt_out, 4}));
      EXPECT_EQ(moved({form(0)}, 0, 256), (ByteVector{op::kWide, spelt_out, 1, 0}));
    }
  }
}

TEST(LocalMove, widens_what_passes_255) {
  for (const std::uint8_t opcode : ByteVector{0x15, 0x16, 0x19, 0x36, 0x39, 0x3a}) {
    EXPECT_EQ(moved({opcode, 254}, 1, 1), (ByteVector{opcode, 255}));
    EXPECT_EQ(moved({opcode, 255}, 1, 1), (ByteVector{op::kWide, opcode, 1, 0}));
    EXPECT_EQ(moved({op::kWide, opcode, 0, 5}, 1, 1), (ByteVector{op::kWide, opcode, 0, 6})) << "stays wide";
  }
  EXPECT_EQ(moved({op::kRet, 254, op::kNop}, 1, 1), (ByteVector{op::kRet, 255, op::kNop}));
  EXPECT_EQ(moved({op::kRet, 255, op::kNop}, 1, 1), (ByteVector{op::kWide, op::kRet, 1, 0, op::kNop}));
}

TEST(LocalMove, keeps_the_amount_of_an_iinc) {
  EXPECT_EQ(moved({op::kIinc, 7, 0x80}, 1, 1), (ByteVector{op::kIinc, 8, 0x80}));
  EXPECT_EQ(moved({op::kIinc, 255, 0x80}, 1, 1), (ByteVector{op::kWide, op::kIinc, 1, 0, 0xff, 0x80})) << "-128";
  EXPECT_EQ(moved({op::kIinc, 255, 0x7f}, 1, 1), (ByteVector{op::kWide, op::kIinc, 1, 0, 0, 0x7f}));
  EXPECT_EQ(moved({op::kWide, op::kIinc, 0, 7, 0x80, 1}, 1, 1), (ByteVector{op::kWide, op::kIinc, 0, 8, 0x80, 1}));
}

}  // namespace
}  // namespace bursar::classfile
