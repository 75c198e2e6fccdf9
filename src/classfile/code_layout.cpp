#include "classfile/code_layout.h"

#include <algorithm>
#include <tuple>

namespace bursar::classfile {
namespace {

constexpr std::uint32_t kMaxCodeSize = 65535;
constexpr std::uint32_t kNoDetour = 0xffffffff;
// A stone must stay in reach while later rounds push things apart.
constexpr std::int64_t kStoneReach = 28000;
// Real methods settle in a few rounds. A hostile one could have each round push just one more jump out of reach.
constexpr int kMaxRounds = 100;

std::int64_t distance(std::uint32_t from, std::uint32_t to) {
  return std::int64_t{to} - std::int64_t{from};
}
bool fits_16_bits(std::int64_t offset) {
  return offset >= -32768 && offset <= 32767;
}

std::uint32_t switch_padding(std::uint32_t position) {
  return 3 - position % 4;
}

std::uint32_t offset_bits(std::uint32_t from, std::uint32_t to) {
  return to - from;
}

}  // namespace

std::uint32_t interface_slots(const Instructions& instructions, std::uint32_t index) {
  const Instruction& instruction = instructions[index];
  return instruction.opcode == op::kInvokeinterface ? instructions.code()[instruction.pc + 3] : 0U;
}

std::uint32_t call_length(std::uint8_t opcode) {
  return opcode == op::kInvokeinterface || opcode == op::kInvokedynamic ? 5 : 3;
}

void write_call(base::ByteWriter& out, const CopyCall& call, std::uint32_t slots) {
  out.u1(call.opcode);
  out.u2_be(call.constant);
  if (call_length(call.opcode) == 3) return;
  out.u1(call.opcode == op::kInvokeinterface ? slots + (call.takes_null ? 1 : 0) : 0);
  out.u1(0);
}

CodeLayout::CodeLayout(const Instructions& instructions)
    : on_fall_through(instructions.size()),
      on_arrival(instructions.size()),
      instructions_(instructions),
      edge_(instructions.size() + 1),
      arrival_(instructions.size()),
      position_(instructions.size()),
      form_(instructions.size(), Form::kAsWritten) {}

CodeLayout::Outcome CodeLayout::run() {
  for (int round = 0; round < kMaxRounds; ++round) {
    place();
    if (size_ > kMaxCodeSize) return Outcome::kTooLarge;
    bool changed = false;
    if (!settle(changed)) return Outcome::kOutOfReach;
    if (!changed) return Outcome::kOk;
  }
  return Outcome::kOutOfReach;
}

void CodeLayout::place() {
  std::uint32_t at = prologue.size();
  stone_position_.resize(stones_.empty() ? 0 : instructions_.size());
  auto stone = stones_.begin();
  const auto place_stones = [&](std::uint32_t gap) {
    for (; stone != stones_.end() && stone->gap == gap; ++stone, at += kStoneSize) {
      stone->position = stone_position_[stone->source] = at;
    }
  };
  const auto count = static_cast<std::uint32_t>(instructions_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    place_stones(i);
    edge_[i] = at;
    arrival_[i] = at += on_fall_through[i].size();
    position_[i] = at += on_arrival[i].size();
    at += length_at(i, at);
  }
  edge_[count] = at;
  place_stones(count);
  for (Detour& detour : detours) {
    detour.position = at;
    at += detour_size(detour);
  }
  size_ = at + unwinds * unwind.size();
}

// One round: gives every jump that does not fit a longer form. False if one cannot be helped.
bool CodeLayout::settle(bool& changed) {
  const std::size_t old_stones = stones_.size();
  for (std::uint32_t i = 0; i < instructions_.size(); ++i) {
    const Instruction& instruction = instructions_[i];
    if (instruction.operand() != Operand::kBranch16 || form_[i] == Form::kWide) continue;
    if (fits_16_bits(distance(position_[i], jump_position(i, instruction.target)))) continue;
    if (!is_conditional_branch(instruction.opcode)) {
      form_[i] = Form::kWide;
    } else if (form_[i] == Form::kStone || !add_stone(i)) {
      return false;
    }
    changed = true;
  }
  for (const Detour& detour : detours) {
    const std::uint32_t jump = detour.position + detour.code.size();
    if (wide_detours_ || fits_16_bits(distance(jump, arrival_[detour.target]))) continue;
    wide_detours_ = true;
    changed = true;
  }
  if (stones_.size() != old_stones) {
    std::sort(stones_.begin(), stones_.end(), [](const SteppingStone& a, const SteppingStone& b) {
      return std::tie(a.gap, a.source) < std::tie(b.gap, b.source);
    });
  }
  return true;
}

// Behind an instruction that ends the flow nobody falls into a stone, and what follows has a frame of its own.
bool CodeLayout::add_stone(std::uint32_t source) {
  const auto usable = [&](std::uint32_t gap) {
    const std::uint8_t before = instructions_[gap - 1].opcode;
    return ends_flow(before) && !is_jsr(before) && std::abs(distance(position_[source], edge_[gap])) < kStoneReach;
  };
  const auto count = static_cast<std::uint32_t>(instructions_.size());
  for (std::uint32_t away = 0; away < count; ++away) {
    for (const std::uint32_t gap : {source + 1 + away, source - away}) {
      if (gap == 0 || gap > count || !usable(gap)) continue;
      stones_.push_back({.gap = gap, .source = source});
      form_[source] = Form::kStone;
      return true;
    }
  }
  return false;
}

std::uint32_t CodeLayout::find_detour(std::uint32_t source, std::uint32_t target, bool catches) const {
  const auto key = std::tuple(target, catches, source);
  const auto found = std::lower_bound(detours.begin(), detours.end(), key, [](const Detour& d, const auto& wanted) {
    return std::tuple(d.target, d.catches, d.source) < wanted;
  });
  if (found == detours.end() || std::tuple(found->target, found->catches, found->source) != key) return kNoDetour;
  return static_cast<std::uint32_t>(found - detours.begin());
}

std::uint32_t CodeLayout::destination(std::uint32_t source, std::uint32_t target) const {
  const std::uint32_t detour = find_detour(source, target, false);
  return detour == kNoDetour ? arrival_[target] : detours[detour].position;
}

std::uint32_t CodeLayout::jump_position(std::uint32_t source, std::uint32_t target) const {
  return form_[source] == Form::kStone ? stone_position_[source] : destination(source, target);
}

std::uint32_t CodeLayout::handler_position(std::uint32_t handler) const {
  const std::uint32_t detour = find_detour(handler, handler, true);
  return detour == kNoDetour ? arrival_[handler] : detours[detour].position;
}

std::uint32_t CodeLayout::local_length(const Instruction& instruction) const {
  const std::uint32_t local = move(instruction.local);
  if (instruction.operand() == Operand::kIinc) return instruction.wide || local > 255 ? 6 : 3;
  if (instruction.wide || local > 255) return 4;
  return instruction.operand() == Operand::kImplicitLocal && local < 4 ? 1 : 2;
}

std::uint32_t CodeLayout::length_at(std::uint32_t index, std::uint32_t position) const {
  const Instruction& instruction = instructions_[index];
  if (is_redirected(index)) return call_length(redirected[index].opcode);
  switch (instruction.operand()) {
    case Operand::kLocal:
    case Operand::kImplicitLocal:
    case Operand::kIinc:
      return local_length(instruction);
    case Operand::kBranch16:
      return form_[index] == Form::kWide ? 5 : 3;
    case Operand::kTableswitch:
    case Operand::kLookupswitch:
      return instruction.length - switch_padding(instruction.pc) + switch_padding(position);
    default:
      return instruction.length;
  }
}

void CodeLayout::write_piece(base::ByteWriter& out, const CodePiece& piece) const {
  out.append(std::span(inserted).subspan(piece.begin, piece.size()));
}

void CodeLayout::write_local(base::ByteWriter& out, const Instruction& instruction) const {
  const std::uint32_t local = move(instruction.local);
  std::uint8_t opcode = instruction.opcode;
  if (instruction.operand() == Operand::kImplicitLocal) {
    const bool store = opcode >= op::kIstore0;
    const unsigned base = store ? op::kIstore0 : op::kIload0;
    const unsigned kind = (opcode - base) / 4;  // i, l, f, d, a
    if (local < 4) return out.u1(base + kind * 4 + local);
    opcode = static_cast<std::uint8_t>((store ? op::kIstore : op::kIload) + kind);
  }
  const bool wide = instruction.wide || local > 255;
  if (wide) out.u1(op::kWide);
  out.u1(opcode);
  wide ? out.u2_be(local) : out.u1(local);
  if (instruction.operand() != Operand::kIinc) return;
  base::ByteReader by(instructions_.code(), instruction.pc + instruction.length - (instruction.wide ? 2 : 1));
  const auto amount = instruction.wide ? static_cast<std::int16_t>(by.u2_be()) : static_cast<std::int8_t>(by.u1());
  const auto bits = static_cast<std::uint32_t>(amount);
  wide ? out.u2_be(bits) : out.u1(bits);
}

void CodeLayout::write_switch(base::ByteWriter& out, std::uint32_t index) const {
  const Instruction& instruction = instructions_[index];
  const std::uint32_t from = position_[index];
  out.u1(instruction.opcode);
  for (std::uint32_t i = switch_padding(from); i-- > 0;) out.u1(0);
  out.u4_be(offset_bits(from, jump_position(index, instruction.target)));
  base::ByteReader old(instructions_.code(), instruction.pc + 1 + switch_padding(instruction.pc) + 4);
  const bool table = instruction.opcode == op::kTableswitch;
  out.u4_be(old.u4_be());  // the lowest key, or the number of pairs
  if (table) out.u4_be(old.u4_be());
  for (const std::uint32_t target : instructions_.case_targets(instruction)) {
    if (!table) {
      out.u4_be(old.u4_be());
      old.skip(4);
    }
    out.u4_be(offset_bits(from, jump_position(index, target)));
  }
}

void CodeLayout::write_instruction(base::ByteWriter& out, std::uint32_t index) const {
  const Instruction& instruction = instructions_[index];
  const std::uint32_t from = position_[index];
  if (is_redirected(index)) return write_call(out, redirected[index], interface_slots(instructions_, index));
  switch (instruction.operand()) {
    case Operand::kLocal:
    case Operand::kImplicitLocal:
    case Operand::kIinc:
      return write_local(out, instruction);
    case Operand::kBranch16: {
      const std::uint32_t offset = offset_bits(from, jump_position(index, instruction.target));
      if (form_[index] == Form::kWide) {
        out.u1(instruction.opcode == op::kGoto ? op::kGotoW : op::kJsrW);
        out.u4_be(offset);
      } else {
        out.u1(instruction.opcode);
        out.u2_be(offset);
      }
      return;
    }
    case Operand::kBranch32:
      out.u1(instruction.opcode);
      return out.u4_be(offset_bits(from, jump_position(index, instruction.target)));
    case Operand::kTableswitch:
    case Operand::kLookupswitch:
      return write_switch(out, index);
    default:
      return out.append(instructions_.code().subspan(instruction.pc, instruction.length));
  }
}

std::vector<std::uint8_t> CodeLayout::code() const {
  base::ByteWriter out;
  out.reserve(size_);
  write_piece(out, prologue);
  auto stone = stones_.begin();
  const auto write_stones = [&](std::uint32_t gap) {
    for (; stone != stones_.end() && stone->gap == gap; ++stone) {
      out.u1(op::kGotoW);
      out.u4_be(offset_bits(stone->position, destination(stone->source, instructions_[stone->source].target)));
    }
  };
  const auto count = static_cast<std::uint32_t>(instructions_.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    write_stones(i);
    write_piece(out, on_fall_through[i]);
    write_piece(out, on_arrival[i]);
    write_instruction(out, i);
  }
  write_stones(count);
  for (const Detour& detour : detours) {
    write_piece(out, detour.code);
    const auto from = static_cast<std::uint32_t>(out.size());
    const std::uint32_t offset = offset_bits(from, arrival_[detour.target]);
    out.u1(wide_detours_ ? op::kGotoW : op::kGoto);
    wide_detours_ ? out.u4_be(offset) : out.u2_be(offset);
  }
  for (std::uint32_t i = 0; i < unwinds; ++i) write_piece(out, unwind);
  return out.take();
}

}  // namespace bursar::classfile
