// Random little methods with code inserted at random places, run before and after: same result, and the inserted code
// runs exactly when its place says.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "classfile/code_layout.h"
#include "little_machine.h"
#include "random_method.h"

namespace bursar::classfile {
namespace {

constexpr std::size_t kMaxSteps = 400;

// A method and what was put into it; each inserted piece has a number of its own, which the machine notes.
class EditedMethod {
 public:
  EditedMethod(std::uint64_t seed, std::size_t longest_gap)
      : method_(seed, longest_gap),
        old_code_(method_.code().code()),
        instructions_(Instructions::parse(old_code_, RandomMethod::kMaxLocals).value()),
        layout_(instructions_),
        longest_gap_(longest_gap) {
    // Local 0, the argument, stays; those behind it move up.
    if (method_.one_in(2)) {
      layout_.move = {.first_moved = 1 + static_cast<std::uint32_t>(method_.below(4)),
                      .shift = 1 + static_cast<std::uint32_t>(method_.below(3))};
    }
    if (method_.one_in(2)) layout_.prologue = piece();
    for (std::uint32_t i = 0; i < instructions_.size(); ++i) insert_at(i);
    std::sort(layout_.detours.begin(), layout_.detours.end(), [](const Detour& a, const Detour& b) {
      return std::tie(a.target, a.catches, a.source) < std::tie(b.target, b.catches, b.source);
    });
  }

  CodeLayout::Outcome lay_out() { return layout_.run(); }
  const CodeLayout& layout() const { return layout_; }

  // Compares runs from several arguments.
  void expect_same_behaviour() {
    const ByteVector new_code = layout_.code();
    ASSERT_EQ(new_code.size(), layout_.size());
    const std::size_t new_locals = RandomMethod::kMaxLocals + layout_.move.shift;
    const auto parsed = Instructions::parse(new_code, static_cast<std::uint32_t>(new_locals));
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    for (const std::int32_t argument : {0, 1, -3, 1000}) {
      const auto before = LittleMachine(old_code_, RandomMethod::kMaxLocals).run(argument, kMaxSteps, 1, true);
      const std::vector<std::uint32_t> expected = expected_hits(before);
      // One that did not return in time is compared up to there.
      const std::size_t enough = before.result ? expected.size() + 1 : expected.size();
      const auto after = LittleMachine(new_code, new_locals).run(argument, 100 * 65536, enough);
      EXPECT_EQ(after.hits, expected);
      if (before.result) {
        EXPECT_EQ(after.result, before.result);
      }
    }
  }

 private:
  void insert_at(std::uint32_t i) {
    const Instruction& instruction = instructions_[i];
    const bool falls_in = i > 0 && !ends_flow(instructions_[i - 1].opcode);
    if (falls_in && method_.one_in(4)) layout_.on_fall_through[i] = piece();
    if (method_.one_in(5)) layout_.on_arrival[i] = piece();
    if (is_conditional_branch(instruction.opcode) && method_.one_in(2)) detour(i, instruction.target);
    if (is_switch(instruction.opcode)) {
      for (const std::uint32_t target : instructions_.distinct_targets(instruction)) {
        if (method_.one_in(2)) detour(i, target);
      }
    }
  }
  void detour(std::uint32_t source, std::uint32_t target) {
    layout_.detours.push_back({.source = source, .target = target, .catches = false, .code = piece()});
  }

  CodePiece piece() {
    CodePiece result;
    result.begin = static_cast<std::uint32_t>(layout_.inserted.size());
    const auto nops = method_.below(4) + (longest_gap_ != 0 && method_.one_in(12) ? method_.below(longest_gap_) : 0);
    layout_.inserted.insert(layout_.inserted.end(), nops, op::kNop);
    layout_.inserted.push_back(op::kInvokestatic);
    layout_.inserted.push_back(static_cast<std::uint8_t>(pieces_ >> 8));
    layout_.inserted.push_back(static_cast<std::uint8_t>(pieces_));
    result.end = static_cast<std::uint32_t>(layout_.inserted.size());
    number_of_[result.begin] = pieces_++;
    return result;
  }

  // What the places mean, step by step of the old run.
  std::vector<std::uint32_t> expected_hits(const LittleMachine::Run& run) const {
    std::vector<std::uint32_t> hits;
    const auto pass = [&](const CodePiece& piece) {
      if (piece.size() != 0) hits.push_back(number_of_.at(piece.begin));
    };
    pass(layout_.prologue);
    pass(layout_.on_arrival[0]);
    for (const LittleMachine::Step& step : run.steps) {
      const std::uint32_t from = instructions_.index_at(step.from), to = instructions_.index_at(step.to);
      if (!step.jumped) pass(layout_.on_fall_through[to]);
      for (const Detour& detour : layout_.detours) {
        if (step.jumped && detour.source == from && detour.target == to) pass(detour.code);
      }
      pass(layout_.on_arrival[to]);
    }
    return hits;
  }

  RandomMethod method_;
  ByteVector old_code_;
  Instructions instructions_;
  CodeLayout layout_;
  std::size_t longest_gap_;
  std::uint32_t pieces_ = 0;
  std::map<std::uint32_t, std::uint32_t> number_of_;  // by the beginning of the piece
};

TEST(CodeLayoutRandom, little_methods_do_the_same_and_pass_every_piece_in_its_place) {
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    EditedMethod method(seed, 0);
    ASSERT_EQ(method.lay_out(), CodeLayout::Outcome::kOk);
    method.expect_same_behaviour();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(CodeLayoutRandom, methods_whose_jumps_outgrow_16_bits_do_so_too) {
  std::size_t laid_out = 0, with_stones = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    if (!RandomMethod(seed, 16000).code().fits()) continue;
    EditedMethod method(seed, 16000);
    if (method.lay_out() != CodeLayout::Outcome::kOk) continue;
    ++laid_out;
    if (!method.layout().stones().empty()) ++with_stones;
    method.expect_same_behaviour();
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(laid_out, 500U);
  EXPECT_GT(with_stones, 20U) << "too few of these methods need a stepping stone to say anything";
}

}  // namespace
}  // namespace bursar::classfile
