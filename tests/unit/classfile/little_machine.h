// LittleMachine: runs a handful of int instructions as the JVM specification says, to compare what code does before and
// after an edit. `invokestatic n` is taken for a probe: the machine notes n and goes on, or, if probes take an int,
// takes that from the stack and notes it.
//
// Knows nothing of src/classfile: it decodes the bytes itself.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "class_builder.h"

namespace bursar::classfile {

class LittleMachine {
 public:
  struct Step {
    std::uint32_t from, to;  // pcs
    bool jumped;
  };
  struct Run {
    std::vector<std::uint32_t> hits;
    std::vector<Step> steps;             // how control went, if asked for
    std::optional<std::int32_t> result;  // nothing: stopped before it returned
  };

  LittleMachine(const ByteVector& code, std::size_t max_locals, bool probes_take_int = false)
      : code_(code), max_locals_(max_locals), probes_take_int_(probes_take_int) {}

  // Runs until it returns, or has executed `max_steps` instructions, or hit `max_hits` probes.
  Run run(std::int32_t argument, std::size_t max_steps, std::size_t max_hits, bool note_steps = false) {
    run_ = {};
    stack_.clear();
    locals_.assign(max_locals_, 0);
    locals_.at(0) = argument;
    pc_ = 0;
    for (std::size_t step = 0; step < max_steps && run_.hits.size() < max_hits && !run_.result; ++step) {
      const std::uint32_t from = pc_;
      jumped_ = false;
      execute();
      if (note_steps && !run_.result) run_.steps.push_back({from, pc_, jumped_});
    }
    return run_;
  }

 private:
  std::uint8_t u1(std::uint32_t at) const { return code_.at(at); }
  std::uint32_t u2(std::uint32_t at) const { return static_cast<std::uint32_t>(u1(at) << 8 | u1(at + 1)); }
  std::uint32_t u4(std::uint32_t at) const { return u2(at) << 16 | u2(at + 2); }
  static std::uint32_t sign_extended(std::uint32_t half) { return (half ^ 0x8000U) - 0x8000U; }
  static std::int32_t as_int(std::uint32_t bits) { return static_cast<std::int32_t>(bits); }

  void push(std::int32_t value) { stack_.push_back(value); }
  std::int32_t pop() {
    const std::int32_t value = stack_.at(stack_.size() - 1);
    stack_.pop_back();
    return value;
  }
  void jump(std::uint32_t target) {
    pc_ = target;
    jumped_ = true;
  }

  static bool holds(unsigned condition, std::int32_t a, std::int32_t b) {
    switch (condition) {
      case 0:
        return a == b;
      case 1:
        return a != b;
      case 2:
        return a < b;
      case 3:
        return a >= b;
      case 4:
        return a > b;
      default:
        return a <= b;
    }
  }

  void execute() {
    const std::uint32_t at = pc_;
    const std::uint8_t opcode = u1(at);
    if (opcode == 0xc4) return execute_wide();
    if (opcode == 0xaa || opcode == 0xab) return execute_switch();
    if (opcode >= 0x99 && opcode <= 0xa4) {  // ifeq … ifle, if_icmpeq … if_icmple
      pc_ += 3;
      const bool compares = opcode >= 0x9f;
      const std::int32_t b = compares ? pop() : 0;
      const std::int32_t a = pop();
      if (holds((opcode - 0x99U) % 6, a, b)) jump(at + sign_extended(u2(at + 1)));
      return;
    }
    if (opcode >= 0x02 && opcode <= 0x08) return advance(1), push(opcode - 0x03);
    if (opcode >= 0x1a && opcode <= 0x1d) return advance(1), push(locals_.at(opcode - 0x1aU));
    if (opcode >= 0x3b && opcode <= 0x3e) return advance(1), void(locals_.at(opcode - 0x3bU) = pop());
    switch (opcode) {
      case 0x00:  // nop
        return advance(1);
      case 0x10:  // bipush
        return advance(2), push(static_cast<std::int8_t>(u1(at + 1)));
      case 0x11:  // sipush
        return advance(3), push(as_int(sign_extended(u2(at + 1))));
      case 0x15:  // iload
        return advance(2), push(locals_.at(u1(at + 1)));
      case 0x36:  // istore
        return advance(2), void(locals_.at(u1(at + 1)) = pop());
      case 0x60: {  // iadd
        const auto b = static_cast<std::uint32_t>(pop());
        return advance(1), push(as_int(static_cast<std::uint32_t>(pop()) + b));
      }
      case 0x7e: {  // iand
        const std::int32_t b = pop();
        return advance(1), push(pop() & b);
      }
      case 0x84:  // iinc
        return advance(3), increment(u1(at + 1), static_cast<std::uint32_t>(static_cast<std::int8_t>(u1(at + 2))));
      case 0xa7:  // goto
        return jump(at + sign_extended(u2(at + 1)));
      case 0xc8:  // goto_w
        return jump(at + u4(at + 1));
      case 0xa8:  // jsr
        return push(as_int(at + 3)), jump(at + sign_extended(u2(at + 1)));
      case 0xc9:  // jsr_w
        return push(as_int(at + 5)), jump(at + u4(at + 1));
      case 0xa9:  // ret: back behind a jsr, which counts as falling through from there
        return void(pc_ = static_cast<std::uint32_t>(locals_.at(u1(at + 1))));
      case 0xac:  // ireturn
        return void(run_.result = pop());
      case 0xb8:  // invokestatic
        return advance(3), run_.hits.push_back(probes_take_int_ ? static_cast<std::uint32_t>(pop()) : u2(at + 1));
      default:
        throw std::logic_error("an instruction that the little machine does not know: " + std::to_string(opcode));
    }
  }

  void execute_wide() {
    const std::uint32_t local = u2(pc_ + 2);
    switch (u1(pc_ + 1)) {
      case 0x15:
        return advance(4), push(locals_.at(local));
      case 0x36:
        return advance(4), void(locals_.at(local) = pop());
      case 0xa9:
        return void(pc_ = static_cast<std::uint32_t>(locals_.at(local)));
      case 0x84: {
        const std::uint32_t by = sign_extended(u2(pc_ + 4));
        return advance(6), increment(local, by);
      }
      default:
        throw std::logic_error("a wide instruction that the little machine does not know");
    }
  }

  void execute_switch() {
    const std::uint32_t at = pc_;
    const std::uint32_t table = at / 4 * 4 + 4;
    const std::int32_t key = pop();
    std::uint32_t offset = u4(table);
    if (u1(at) == 0xaa) {
      const std::int32_t low = as_int(u4(table + 4)), high = as_int(u4(table + 8));
      if (key >= low && key <= high) offset = u4(table + 12 + 4 * static_cast<std::uint32_t>(key - low));
    } else {
      for (std::uint32_t i = 0; i < u4(table + 4); ++i) {
        if (as_int(u4(table + 8 + 8 * i)) == key) offset = u4(table + 12 + 8 * i);
      }
    }
    jump(at + offset);
  }

  void advance(std::uint32_t length) { pc_ += length; }
  void increment(std::uint32_t local, std::uint32_t by) {
    locals_.at(local) = as_int(static_cast<std::uint32_t>(locals_.at(local)) + by);
  }

  const ByteVector& code_;
  std::size_t max_locals_;
  bool probes_take_int_;
  Run run_;
  std::vector<std::int32_t> stack_, locals_;
  std::uint32_t pc_ = 0;
  bool jumped_ = false;
};

}  // namespace bursar::classfile
