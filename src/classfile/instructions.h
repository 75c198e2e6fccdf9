// Instructions: the bytecode of one method, cut into instructions whose every reference was checked.
//
// Invariant (after parse): the instructions tile the code exactly; every jump lands on the start of one; locals are
// below max_locals; the last instruction does not run off the end. The code is borrowed from the class file.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_reader.h"
#include "base/result.h"
#include "classfile/opcode.h"

namespace bursar::classfile {

struct Instruction {
  std::uint32_t pc = 0;
  std::uint32_t length = 0;
  std::uint8_t opcode = 0;  // behind `wide`: the widened opcode
  bool wide = false;
  std::uint16_t local = 0;       // for instructions that name one
  std::uint32_t target = 0;      // of a branch; the default of a switch; a pc until parse is done, then an index
  std::uint32_t first_case = 0;  // of a switch: its targets without the default are
  std::uint32_t case_count = 0;  //   Instructions::case_targets[first_case … first_case + case_count)

  Operand operand() const { return kOpcodes[opcode].operand; }
  // Slots of the local variable it names: 0 if it names none.
  unsigned local_slots() const;
};

class Instructions {
 public:
  static base::Result<Instructions> parse(base::Bytes code, std::uint32_t max_locals);

  static constexpr std::uint32_t kNotAStart = 0xffffffff;

  base::Bytes code() const { return code_; }
  std::size_t size() const { return instructions_.size(); }
  const Instruction& operator[](std::size_t index) const { return instructions_[index]; }
  auto begin() const { return instructions_.begin(); }
  auto end() const { return instructions_.end(); }

  // Index of the instruction that starts at pc; size() for the end of the code; else kNotAStart.
  std::uint32_t index_at(std::uint32_t pc) const { return pc < index_of_pc_.size() ? index_of_pc_[pc] : kNotAStart; }
  // Targets of a switch's cases, as indices of instructions, in the order of the cases.
  std::span<const std::uint32_t> case_targets(const Instruction& instruction) const {
    return std::span(case_targets_).subspan(instruction.first_case, instruction.case_count);
  }
  // The default and the cases, each target once, in bytecode order: what a branch profile calls the outcomes.
  std::vector<std::uint32_t> distinct_targets(const Instruction& instruction) const;

  bool has_subroutines() const { return has_subroutines_; }

 private:
  bool parse_one(std::uint32_t pc, Instruction& instruction);
  bool parse_switch(Instruction& instruction);
  bool resolve(std::uint32_t& target) const;

  base::Bytes code_;
  std::vector<Instruction> instructions_;
  std::vector<std::uint32_t> case_targets_;
  std::vector<std::uint32_t> index_of_pc_;  // code size + 1 entries
  bool has_subroutines_ = false;
};

}  // namespace bursar::classfile
