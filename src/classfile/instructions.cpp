#include "classfile/instructions.h"

#include <algorithm>
#include <string>

namespace bursar::classfile {
namespace {

// iload_0 … aload_3 and istore_0 … astore_3 come in groups of four.
std::uint16_t implicit_local(std::uint8_t opcode) {
  return static_cast<std::uint16_t>((opcode - (opcode >= op::kIstore0 ? op::kIstore0 : op::kIload0)) % 4);
}

}  // namespace

unsigned Instruction::local_slots() const {
  switch (operand()) {
    case Operand::kLocal:
      return opcode == op::kLload || opcode == op::kDload || opcode == op::kLstore || opcode == op::kDstore ? 2 : 1;
    case Operand::kImplicitLocal: {
      const int kind = (opcode - (opcode >= op::kIstore0 ? op::kIstore0 : op::kIload0)) / 4;  // i, l, f, d, a
      return kind == 1 || kind == 3 ? 2 : 1;
    }
    case Operand::kIinc:
      return 1;
    default:
      return 0;
  }
}

base::Result<Instructions> Instructions::parse(base::Bytes code, std::uint32_t max_locals) {
  if (code.empty() || code.size() > 65535) return base::Error{"the code is empty or longer than 65,535 bytes"};
  Instructions result;
  result.code_ = code;
  result.index_of_pc_.assign(code.size() + 1, kNotAStart);
  result.instructions_.reserve(code.size() / 2 + 1);
  const auto error_at = [](const char* what, std::uint32_t pc) {
    return base::Error{std::string(what) + " at bytecode index " + std::to_string(pc)};
  };

  for (std::uint32_t pc = 0; pc < code.size();) {
    Instruction instruction;
    if (!result.parse_one(pc, instruction)) return error_at("malformed instruction", pc);
    if (instruction.local + instruction.local_slots() > max_locals) {
      return error_at("local variable out of range", pc);
    }
    result.has_subroutines_ |= is_jsr(instruction.opcode) || instruction.opcode == op::kRet;
    result.index_of_pc_[pc] = static_cast<std::uint32_t>(result.instructions_.size());
    result.instructions_.push_back(instruction);
    pc += instruction.length;
  }
  result.index_of_pc_[code.size()] = static_cast<std::uint32_t>(result.instructions_.size());
  if (!ends_flow(result.instructions_.back().opcode)) return base::Error{"control runs off the end of the code"};

  for (Instruction& instruction : result.instructions_) {
    const Operand operand = instruction.operand();
    const bool jumps = operand == Operand::kBranch16 || operand == Operand::kBranch32 || is_switch(instruction.opcode);
    if (jumps && !result.resolve(instruction.target)) return error_at("jump into nowhere", instruction.pc);
  }
  for (std::uint32_t& target : result.case_targets_) {
    if (!result.resolve(target)) return base::Error{"a switch jumps into nowhere"};
  }
  return result;
}

bool Instructions::resolve(std::uint32_t& target) const {
  const std::uint32_t index = index_at(target);
  if (index == kNotAStart || index == instructions_.size()) return false;
  target = index;
  return true;
}

bool Instructions::parse_one(std::uint32_t pc, Instruction& instruction) {
  base::ByteReader reader(code_, pc);
  instruction.pc = pc;
  instruction.opcode = reader.u1();
  switch (instruction.operand()) {
    case Operand::kInvalid:
      return false;
    case Operand::kPlain:
      reader.skip(kOpcodes[instruction.opcode].length - 1U);
      break;
    case Operand::kLocal:
      instruction.local = reader.u1();
      break;
    case Operand::kImplicitLocal:
      instruction.local = implicit_local(instruction.opcode);
      break;
    case Operand::kIinc:
      instruction.local = reader.u1();
      reader.skip(1);
      break;
    case Operand::kBranch16:
      instruction.target = pc + static_cast<std::uint32_t>(static_cast<std::int16_t>(reader.u2_be()));
      break;
    case Operand::kBranch32:
      instruction.target = pc + reader.u4_be();
      break;
    case Operand::kTableswitch:
    case Operand::kLookupswitch:
      return parse_switch(instruction);
    case Operand::kWide:
      instruction.wide = true;
      instruction.opcode = reader.u1();
      instruction.local = reader.u2_be();
      if (instruction.operand() == Operand::kIinc) {
        reader.skip(2);
      } else if (instruction.operand() != Operand::kLocal) {
        return false;
      }
      break;
  }
  instruction.length = static_cast<std::uint32_t>(reader.position()) - pc;
  return reader.ok();
}

bool Instructions::parse_switch(Instruction& instruction) {
  const std::uint32_t pc = instruction.pc;
  base::ByteReader reader(code_, (pc + 4) & ~3U);
  const bool table = instruction.opcode == op::kTableswitch;
  instruction.target = pc + reader.u4_be();
  instruction.first_case = static_cast<std::uint32_t>(case_targets_.size());
  std::uint64_t count = 0;
  if (table) {
    const std::int64_t low = static_cast<std::int32_t>(reader.u4_be());
    const std::int64_t high = static_cast<std::int32_t>(reader.u4_be());
    if (low > high) return false;
    count = static_cast<std::uint64_t>(high - low) + 1;
  } else {
    count = reader.u4_be();
  }
  if (count > reader.remaining() / (table ? 4U : 8U)) return false;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (!table) reader.skip(4);
    case_targets_.push_back(pc + reader.u4_be());
  }
  instruction.case_count = static_cast<std::uint32_t>(count);
  instruction.length = static_cast<std::uint32_t>(reader.position()) - pc;
  return reader.ok();
}

std::vector<std::uint32_t> Instructions::distinct_targets(const Instruction& instruction) const {
  const auto cases = case_targets(instruction);
  std::vector<std::uint32_t> targets(cases.begin(), cases.end());
  targets.push_back(instruction.target);
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

}  // namespace bursar::classfile
