#include "classfile/instructions.h"

#include <gtest/gtest.h>

#include "class_builder.h"

namespace bursar::classfile {
namespace {

// Lengths in bytes by opcode, sixteen to a row, as chapter 6 of the JVM specification has them; '-' is no instruction,
// '*' depends on contents.
constexpr std::string_view kLengths =
    "1111111111111111"  // nop … dconst_1
    "2323322222111111"  // bipush sipush ldc ldc_w ldc2_w, iload … aload, iload_0 …
    "1111111111111111"  // lload_2 … laload
    "1111112222211111"  // faload … saload, istore … astore, istore_0 …
    "1111111111111111"  // lstore_1 … iastore
    "1111111111111111"  // lastore … swap
    "1111111111111111"  // iadd … ddiv
    "1111111111111111"  // irem … land
    "1111311111111111"  // ior … iinc … d2i
    "1111111113333333"  // d2l … dcmpg, ifeq … if_icmpeq
    "333333333"
    "2"
    "**"
    "1111"  // if_icmpne … jsr, ret, switches, ireturn …
    "11"
    "3333333"
    "55"
    "3"
    "2"
    "3"
    "11"                 // areturn return, fields and calls, new newarray anewarray, arraylength athrow
    "3311*43355------";  // checkcast instanceof monitors wide multianewarray ifnull ifnonnull goto_w jsr_w

base::Result<Instructions> parse(const ByteVector& code, std::uint32_t max_locals = 8) {
  return Instructions::parse(code, max_locals);
}

bool refused(const ByteVector& code, std::uint32_t max_locals = 8) {
  return !parse(code, max_locals).ok();
}

TEST(Instructions, have_the_lengths_of_the_specification) {
  ASSERT_EQ(kLengths.size(), 13U * 16U);
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const char length = opcode < kLengths.size() ? kLengths[opcode] : '-';
    if (length == '*') continue;
    ByteVector code(length == '-' ? 1U : static_cast<unsigned>(length - '0'), 0);
    code[0] = static_cast<std::uint8_t>(opcode);
    code.push_back(op::kReturn);
    const auto parsed = parse(code);
    ASSERT_EQ(parsed.ok(), length != '-') << opcode;
    if (length == '-') continue;
    ASSERT_EQ(parsed->size(), 2U) << opcode;
    EXPECT_EQ((*parsed)[0].length, static_cast<unsigned>(length - '0')) << opcode;
    EXPECT_EQ((*parsed)[1].pc, (*parsed)[0].length) << opcode;
  }
}

TEST(Instructions, cut_short_are_refused) {
  for (unsigned opcode = 0; opcode < kLengths.size(); ++opcode) {
    if (kLengths[opcode] < '2' || kLengths[opcode] > '9') continue;
    ByteVector code(static_cast<unsigned>(kLengths[opcode] - '0') - 1, 0);
    code[0] = static_cast<std::uint8_t>(opcode);
    EXPECT_TRUE(refused(code)) << opcode;
  }
}

TEST(Instructions, name_the_local_in_their_opcode) {
  for (unsigned first : {0x1aU, 0x3bU}) {
    for (unsigned i = 0; i < 20; ++i) {
      const ByteVector code = {static_cast<std::uint8_t>(first + i), op::kReturn};
      const unsigned slots = i / 4 == 1 || i / 4 == 3 ? 2 : 1;  // int, long, float, double, reference
      const auto parsed = parse(code, i % 4 + slots);
      ASSERT_TRUE(parsed.ok()) << first + i;
      EXPECT_EQ((*parsed)[0].local, i % 4);
      EXPECT_EQ((*parsed)[0].local_slots(), slots);
      EXPECT_TRUE(refused(code, i % 4 + slots - 1)) << first + i;
    }
  }
}

TEST(Instructions, refuse_a_local_out_of_range) {
  for (unsigned kind = 0; kind < 5; ++kind) {
    const unsigned slots = kind == 1 || kind == 3 ? 2 : 1;
    for (const unsigned base : {0x15U, 0x36U}) {
      const ByteVector narrow = {static_cast<std::uint8_t>(base + kind), 5, op::kReturn};
      EXPECT_FALSE(refused(narrow, 5 + slots));
      EXPECT_TRUE(refused(narrow, 5 + slots - 1));
      const ByteVector wide = {op::kWide, static_cast<std::uint8_t>(base + kind), 1, 5, op::kReturn};
      EXPECT_FALSE(refused(wide, 261 + slots));
      EXPECT_TRUE(refused(wide, 261 + slots - 1));
    }
  }
  EXPECT_FALSE(refused({op::kIinc, 5, 1, op::kReturn}, 6));
  EXPECT_TRUE(refused({op::kIinc, 5, 1, op::kReturn}, 5));
  EXPECT_FALSE(refused({op::kRet, 5}, 6));
  EXPECT_TRUE(refused({op::kRet, 5}, 5));
  EXPECT_FALSE(refused({op::kWide, op::kLload, 0xff, 0xfd, op::kReturn}, 65535));
  EXPECT_TRUE(refused({op::kWide, op::kLload, 0xff, 0xff, op::kReturn}, 65535));
}

TEST(Instructions, widen_loads_stores_ret_and_iinc_only) {
  for (unsigned opcode = 0; opcode < 256; ++opcode) {
    const bool local = (opcode >= 0x15 && opcode <= 0x19) || (opcode >= 0x36 && opcode <= 0x3a) || opcode == 0xa9;
    const ByteVector code = {op::kWide, static_cast<std::uint8_t>(opcode), 1, 2, op::kReturn};
    if (opcode == op::kIinc) {
      const auto parsed = parse({op::kWide, op::kIinc, 1, 2, 0xff, 0xff, op::kReturn}, 300);
      ASSERT_TRUE(parsed.ok());
      EXPECT_EQ((*parsed)[0].length, 6U);
      EXPECT_EQ((*parsed)[0].local, 258);
      EXPECT_TRUE((*parsed)[0].wide);
    } else {
      const auto parsed = parse(code, 300);
      ASSERT_EQ(parsed.ok(), local) << opcode;
      if (!local) continue;
      EXPECT_EQ((*parsed)[0].length, 4U);
      EXPECT_EQ((*parsed)[0].local, 258);
    }
  }
}

TEST(Instructions, find_a_switch_at_every_alignment) {
  for (unsigned before = 0; before < 8; ++before) {
    CodeBuilder code;
    const auto first = code.here();
    code.nops(before);
    const std::uint32_t table_pc = code.pc();
    const auto otherwise = code.label(), one = code.label();
    code.tableswitch(-1, otherwise, {one, first, one});
    const std::uint32_t table_end = code.pc();
    code.bind(one);
    code.op(op::kNop);
    const std::uint32_t lookup_pc = code.pc();
    code.lookupswitch(first, {{-7, one}, {9, otherwise}});
    code.bind(otherwise);
    code.op(op::kReturn);
    const ByteVector bytes = code.code();
    const auto parsed = parse(bytes);
    ASSERT_TRUE(parsed.ok()) << before << ": " << parsed.error().message;

    const Instruction& table = (*parsed)[parsed->index_at(table_pc)];
    EXPECT_EQ(table.length, 1 + (3 - before % 4) + 12 + 3 * 4);
    EXPECT_EQ(table.pc + table.length, table_end);
    EXPECT_EQ((*parsed)[table.target].pc, code.pc_of(otherwise));
    const auto cases = parsed->case_targets(table);
    ASSERT_EQ(cases.size(), 3U);
    EXPECT_EQ((*parsed)[cases[0]].pc, code.pc_of(one));
    EXPECT_EQ(cases[1], 0U);
    EXPECT_EQ(parsed->distinct_targets(table), (std::vector<std::uint32_t>{0, cases[0], table.target}));

    const Instruction& lookup = (*parsed)[parsed->index_at(lookup_pc)];
    EXPECT_EQ(lookup.length, 1 + (3 - lookup_pc % 4) + 8 + 2 * 8);
    EXPECT_EQ(lookup.target, 0U);
    EXPECT_EQ(parsed->case_targets(lookup).size(), 2U);
    EXPECT_EQ(parsed->case_targets(lookup)[1], parsed->size() - 1);
  }
}

TEST(Instructions, refuse_a_switch_with_more_cases_than_there_are_bytes) {
  const auto with = [](std::uint8_t opcode, const ByteVector& counts) {
    ByteVector code = {opcode, 0, 0, 0, 0, 0, 0, 0};
    code.insert(code.end(), counts.begin(), counts.end());
    code.insert(code.end(), 16, 0);
    code.push_back(op::kReturn);
    return refused(code);
  };
  const ByteVector zero = {0, 0, 0, 0}, three = {0, 0, 0, 3}, most = {0x7f, 0xff, 0xff, 0xff};
  const ByteVector least = {0x80, 0, 0, 0}, minus_one = {0xff, 0xff, 0xff, 0xff};
  const auto both = [](ByteVector low, const ByteVector& high) {
    low.insert(low.end(), high.begin(), high.end());
    return low;
  };
  EXPECT_FALSE(with(op::kTableswitch, both(zero, three)));
  EXPECT_TRUE(with(op::kTableswitch, both(zero, {0, 0, 0, 4})));
  EXPECT_TRUE(with(op::kTableswitch, both(least, most)));
  EXPECT_TRUE(with(op::kTableswitch, both(zero, most)));
  EXPECT_TRUE(with(op::kTableswitch, both(three, zero))) << "low above high";
  EXPECT_TRUE(with(op::kTableswitch, both(zero, minus_one)));
  EXPECT_FALSE(with(op::kLookupswitch, {0, 0, 0, 2}));
  EXPECT_TRUE(with(op::kLookupswitch, three));
  EXPECT_TRUE(with(op::kLookupswitch, minus_one));
  EXPECT_TRUE(with(op::kLookupswitch, least));
  EXPECT_TRUE(with(op::kLookupswitch, {0x20, 0, 0, 0})) << "eight times this is zero in 32 bits";
}

TEST(Instructions, refuse_a_switch_cut_short) {
  CodeBuilder code;
  const auto start = code.here();
  code.tableswitch(0, start, {start});
  const ByteVector whole = code.code();
  ASSERT_FALSE(refused(whole));
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_TRUE(refused(ByteVector(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)))) << length;
  }
}

TEST(Instructions, refuse_jumps_that_do_not_land_on_an_instruction) {
  // sipush at 3 … 5, return at 6; the jump stands at 0.
  const auto jumping = [](std::uint8_t offset) {
    return refused({op::kGoto, 0, offset, op::kSipush, 0, 0, op::kReturn});
  };
  for (const std::uint8_t start : ByteVector{0, 3, 6}) EXPECT_FALSE(jumping(start)) << int{start};
  for (const std::uint8_t middle : ByteVector{1, 2, 4, 5}) EXPECT_TRUE(jumping(middle)) << int{middle};
  for (const std::uint8_t outside : ByteVector{7, 8, 255}) EXPECT_TRUE(jumping(outside)) << int{outside};
  EXPECT_TRUE(refused({op::kGoto, 0xff, 0xff, op::kReturn})) << "before the start";
  EXPECT_TRUE(refused({op::kGotoW, 0x7f, 0xff, 0xff, 0xff}));
  EXPECT_TRUE(refused({op::kGotoW, 0x80, 0, 0, 0}));
  EXPECT_FALSE(refused({op::kGotoW, 0, 0, 0, 0}));
  EXPECT_TRUE(refused({op::kTableswitch, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0})) << "the default";
  EXPECT_TRUE(refused({op::kTableswitch, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2})) << "a case";
}

TEST(Instructions, refuse_code_that_runs_off_its_end) {
  for (const ByteVector& code : std::vector<ByteVector>{{op::kNop},
                                                        {op::kIload0},
                                                        {op::kReturn, op::kNop},
                                                        {op::kIload0, op::kIfeq, 0xff, 0xff},
                                                        {op::kInvokestatic, 0, 1}}) {
    EXPECT_TRUE(refused(code));
  }
  for (const ByteVector& code :
       std::vector<ByteVector>{{op::kReturn}, {op::kIreturn}, {op::kAthrow}, {op::kGoto, 0, 0}, {op::kRet, 0}}) {
    EXPECT_FALSE(refused(code));
  }
}

TEST(Instructions, refuse_code_that_is_empty_or_too_long) {
  EXPECT_TRUE(refused({}));
  ByteVector longest(65535, op::kNop);
  longest.back() = op::kReturn;
  EXPECT_FALSE(refused(longest));
  longest.push_back(op::kReturn);
  EXPECT_TRUE(refused(longest));
}

TEST(Instructions, know_where_each_one_starts) {
  const ByteVector code = {op::kSipush, 0, 0, op::kPop, op::kReturn};
  const auto parsed = parse(code);
  ASSERT_TRUE(parsed.ok());
  const std::uint32_t no = Instructions::kNotAStart;
  const std::vector<std::uint32_t> expected = {0, no, no, 1, 2, 3, no, no};
  for (std::uint32_t pc = 0; pc < expected.size(); ++pc) EXPECT_EQ(parsed->index_at(pc), expected[pc]) << pc;
}

TEST(Instructions, say_whether_there_are_subroutines) {
  EXPECT_FALSE(parse({op::kReturn})->has_subroutines());
  EXPECT_TRUE(parse({op::kJsr, 0, 3, op::kReturn})->has_subroutines());
  EXPECT_TRUE(parse({op::kJsrW, 0, 0, 0, 5, op::kReturn})->has_subroutines());
  EXPECT_TRUE(parse({op::kWide, op::kRet, 0, 1})->has_subroutines());
}

}  // namespace
}  // namespace bursar::classfile
