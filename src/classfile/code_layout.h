// CodeLayout: where everything in an edited method goes, and the new code itself.
//
// New code stands in five kinds of places, and old positions map to new ones accordingly:
//
//   prologue                    before everything; no jump or handler leads back to it
//   instruction i:
//     [stepping stones]         goto_w for conditional jumps that outgrew 16 bits; only where control cannot fall in
//     on fall-through   ← edge_position(i)     runs only between instruction i-1 and i; jumps to i pass it by
//     on arrival        ← arrival_position(i)  runs however control came; jumps to i lead here
//     instruction i     ← position(i)
//   detours                     behind the last instruction: code on one jump (source → target), then a goto target
//   unwinds           ← unwind_position(n)   behind everything; only exceptions lead there
//
// Layout iterates until every jump fits; positions only grow, so it ends.
// Owner: the CodeEditor of one method.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/byte_writer.h"
#include "classfile/instructions.h"

namespace bursar::classfile {

struct CodePiece {
  std::uint32_t begin = 0;  // in CodeLayout::inserted
  std::uint32_t end = 0;
  std::uint32_t size() const { return end - begin; }
};

struct Detour {
  std::uint32_t source;  // a jump; the handler itself if `catches`
  std::uint32_t target;  // instruction
  bool catches;          // runs when an exception arrives at the handler `target`
  CodePiece code;
  std::uint32_t position = 0;  // set by the layout
};

// A `goto_w` in the reach of the conditional jump `source`, on to where that wanted to go.
struct SteppingStone {
  std::uint32_t gap;  // stands before this instruction (or at the end)
  std::uint32_t source;
  std::uint32_t position = 0;
};

// The call that takes a call's place where that goes to a copy (method_copies.h): with the same arguments, and null as
// one more if it takes that.
struct CopyCall {
  std::uint8_t opcode = 0;
  std::uint16_t constant = 0;
  bool takes_null = true;
};

// Local variables at `first_moved` and above move up by `shift`.
struct LocalMove {
  std::uint32_t first_moved = 0;
  std::uint32_t shift = 0;
  std::uint32_t operator()(std::uint32_t local) const { return local >= first_moved ? local + shift : local; }
};

// What an invokeinterface says of its arguments' slots; 0 of other calls.
std::uint32_t interface_slots(const Instructions& instructions, std::uint32_t index);
// `slots`: what the call whose place it takes says of them.
void write_call(base::ByteWriter& out, const CopyCall& call, std::uint32_t slots);
std::uint32_t call_length(std::uint8_t opcode);

class CodeLayout {
 public:
  explicit CodeLayout(const Instructions& instructions);

  // What to insert; set all of it before run(). Detours must be sorted by (target, catches, source).
  std::vector<std::uint8_t> inserted;
  CodePiece prologue;
  std::vector<CodePiece> on_fall_through;  // by instruction
  std::vector<CodePiece> on_arrival;       // by instruction
  std::vector<Detour> detours;
  CodePiece unwind;
  std::uint32_t unwinds = 0;  // how many copies of it
  LocalMove move;
  // By instruction, or empty: what an invoke is replaced by; with a constant of 0: it is not.
  std::vector<CopyCall> redirected;

  bool is_redirected(std::uint32_t index) const { return !redirected.empty() && redirected[index].constant != 0; }

  enum class Outcome { kOk, kTooLarge, kOutOfReach };
  Outcome run();

  std::uint32_t edge_position(std::uint32_t index) const { return edge_[index]; }
  std::uint32_t arrival_position(std::uint32_t index) const { return arrival_[index]; }
  std::uint32_t position(std::uint32_t index) const { return position_[index]; }
  std::uint32_t size() const { return size_; }
  // Of the copies of the unwind; unwind_position(unwinds) is the end of the code.
  std::uint32_t unwind_position(std::uint32_t copy) const { return size_ - (unwinds - copy) * unwind.size(); }
  // Where the instructions end and the detours begin.
  std::uint32_t end_of_instructions() const { return edge_[instructions_.size()]; }
  // Sorted by position, each kStoneSize long.
  const std::vector<SteppingStone>& stones() const { return stones_; }
  static constexpr std::uint32_t kStoneSize = 5;
  std::uint32_t detour_size(const Detour& detour) const { return detour.code.size() + (wide_detours_ ? 5 : 3); }
  // Where an exception of this handler arrives.
  std::uint32_t handler_position(std::uint32_t handler) const;

  std::vector<std::uint8_t> code() const;

 private:
  enum class Form : std::uint8_t { kAsWritten, kWide, kStone };

  void place();
  bool settle(bool& changed);
  bool add_stone(std::uint32_t source);
  std::uint32_t find_detour(std::uint32_t source, std::uint32_t target, bool catches) const;
  // Where the jump wants to go: its detour or its target.
  std::uint32_t destination(std::uint32_t source, std::uint32_t target) const;
  // Where its operand points: the stepping stone, if it has one.
  std::uint32_t jump_position(std::uint32_t source, std::uint32_t target) const;
  std::uint32_t length_at(std::uint32_t index, std::uint32_t position) const;
  std::uint32_t local_length(const Instruction& instruction) const;
  void write_instruction(base::ByteWriter& out, std::uint32_t index) const;
  void write_local(base::ByteWriter& out, const Instruction& instruction) const;
  void write_switch(base::ByteWriter& out, std::uint32_t index) const;
  void write_piece(base::ByteWriter& out, const CodePiece& piece) const;

  const Instructions& instructions_;
  std::vector<std::uint32_t> edge_, arrival_, position_;
  std::vector<Form> form_;
  std::vector<SteppingStone> stones_;
  std::vector<std::uint32_t> stone_position_;  // by source; empty while there are no stones
  std::uint32_t size_ = 0;
  bool wide_detours_ = false;
};

}  // namespace bursar::classfile
