// RandomMethod: little int methods of random statements, for LittleMachine. Every statement leaves the stack empty, and
// jumps lead to the starts of statements, so whatever comes out can be run.
#pragma once

#include <random>
#include <vector>

#include "class_builder.h"

namespace bursar::classfile {

class RandomMethod {
 public:
  static constexpr std::uint32_t kMaxLocals = 260;

  // `longest_gap`: now and then a statement is a row of up to this many nops, so that jumps get long.
  RandomMethod(std::uint64_t seed, std::size_t longest_gap) : random_(seed) {
    const std::size_t statements = 3 + below(25);
    code_.max_locals = kMaxLocals;
    for (std::size_t i = 0; i <= statements; ++i) labels_.push_back(code_.label());
    for (std::size_t i = 0; i < statements; ++i) {
      code_.bind(labels_[i]);
      statement(longest_gap);
    }
    code_.bind(labels_[statements]);
    load();
    code_.op(op::kIreturn);
  }

  std::size_t below(std::size_t limit) { return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_); }
  bool one_in(std::size_t n) { return below(n) == 0; }
  const CodeBuilder& code() const { return code_; }

 private:
  CodeBuilder::Label anywhere() { return labels_[below(labels_.size())]; }
  // Most jumps lead on, or the methods would seldom end.
  CodeBuilder::Label often_ahead() {
    const CodeBuilder::Label one = anywhere(), other = anywhere();
    return one_in(3) ? one : std::max(one, other);
  }
  unsigned local() {
    constexpr unsigned kLocals[] = {0, 1, 2, 3, 4, 5, 253, 254, 255, 256, 257};
    return kLocals[below(one_in(4) ? 11 : 5)];
  }
  int amount() { return static_cast<int>(below(7)) - 3; }

  void access(unsigned opcode, unsigned implicit) {
    const unsigned which = local();
    if (which < 4 && !one_in(4)) return code_.op(implicit + which);
    if (which > 255 || one_in(6)) return code_.wide(opcode, which);
    code_.op1(opcode, which);
  }
  void load() { access(op::kIload, op::kIload0); }
  void store() { access(op::kIstore, op::kIstore0); }
  void increment() {
    const unsigned which = local();
    which > 255 || one_in(4) ? code_.wide_iinc(which, amount() * (one_in(3) ? 1000 : 1)) : code_.iinc(which, amount());
  }
  // A small number from a local, so that the cases of switches are met.
  void key() {
    load();
    code_.op1(op::kBipush, 3);
    code_.op(op::kIand);
  }

  // Its return address lives in a local that no other statement touches.
  void subroutine() {
    const CodeBuilder::Label start = code_.label(), behind = code_.label();
    const unsigned address = one_in(2) ? 6 : 259;
    code_.jump(one_in(3) ? op::kJsrW : op::kJsr, start);
    code_.jump(op::kGoto, behind);
    code_.bind(start);
    address > 255 ? code_.wide(op::kIstore, address) : code_.op1(op::kIstore, address);
    increment();
    address > 255 ? code_.wide(op::kRet, address) : code_.op1(op::kRet, address);
    code_.bind(behind);
  }

  void statement(std::size_t longest_gap) {
    switch (below(10)) {
      case 0:
        return increment();
      case 1:
        load();
        load();
        code_.op(op::kIadd);
        return store();
      case 2:
        return code_.nops(longest_gap != 0 && one_in(2) ? below(longest_gap) : 1 + below(4));
      case 3:
      case 4:
        increment();
        load();
        return code_.jump(op::kIfeq + static_cast<unsigned>(below(6)), often_ahead());
      case 5:
        load();
        load();
        return code_.jump(op::kIfIcmpeq + static_cast<unsigned>(below(6)), often_ahead());
      case 6:
        increment();
        return code_.jump(one_in(4) ? op::kGotoW : op::kGoto, often_ahead());
      case 7: {
        increment();
        key();
        std::vector<CodeBuilder::Label> cases(1 + below(4));
        for (CodeBuilder::Label& target : cases) target = often_ahead();
        return code_.tableswitch(static_cast<std::int32_t>(below(3)) - 1, often_ahead(), cases);
      }
      case 8:
        return subroutine();
      default: {
        increment();
        key();
        std::vector<std::pair<std::int32_t, CodeBuilder::Label>> cases;
        for (std::int32_t k = -1; k < 4; ++k) {
          if (one_in(2)) cases.emplace_back(k, often_ahead());
        }
        return code_.lookupswitch(often_ahead(), cases);
      }
    }
  }

  std::mt19937_64 random_;
  CodeBuilder code_;
  std::vector<CodeBuilder::Label> labels_;
};

}  // namespace bursar::classfile
