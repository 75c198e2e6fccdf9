// Rewriting for tests: classes go in, readable listings of their new code come out.
//
// c, n, s     the probes' locals, s a third if there is one: loads of them; stores are =c, =n, =s
// load 1      of any other local; store 1 a store
// #16, mute   constants
// name        a call of a method that the agent added to Object
// A.run       any other call; else the name of the instruction
#pragma once

#include <algorithm>
#include <array>
#include <string>

#include "agent/added_members.h"
#include "agent/class_rewriter.h"
#include "built_class.h"
#include "core/common_nodes.h"

namespace bursar::agent {

class Listing {
 public:
  Listing(const ReadClass& read, const classfile::Member& method)
      : read_(read), code_(read.code_of(method)), first_new_(first_new_local()) {}

  std::string text() const {
    std::string text;
    for (const classfile::Instruction& instruction : code_.instructions) {
      if (!text.empty()) text += ' ';
      text += word(instruction);
    }
    return text;
  }
  const classfile::CodeAttribute& code() const { return code_; }

 private:
  // The entry stores what slot() says: n, or, in a method that is not to be seen, s, which stands behind n.
  unsigned first_new_local() const {
    const classfile::Instructions& all = code_.instructions;
    for (std::uint32_t i = 0; i + 2 < all.size(); ++i) {
      if (!classfile::is_invoke(all[i].opcode) || callee(all[i]) != "slot") continue;
      const bool is_seen = all[i + 2].opcode != op::kLdc2W;
      return all[i + 1].local - (is_seen ? 0U : 2U);
    }
    return code_.max_locals;
  }

  std::string local(const classfile::Instruction& instruction, const std::string& plain,
                    const std::string& mark) const {
    if (instruction.local < first_new_) return plain + std::to_string(instruction.local);
    switch (instruction.local - first_new_) {
      case 0:
        return mark + "n";
      case 2:
        return mark + "s";
      default:
        return plain + std::to_string(instruction.local);
    }
  }

  std::string word(const classfile::Instruction& instruction) const {
    const std::uint8_t opcode = instruction.opcode;
    if (classfile::is_invoke(opcode)) return callee(instruction);
    if (opcode >= op::kIload && opcode <= op::kAload3) return local(instruction, "load ", "");
    if (opcode >= op::kIstore && opcode <= op::kAstore3) return local(instruction, "store ", "=");
    if (opcode > op::kAconstNull && opcode < op::kLconst0) return "#" + std::to_string(opcode - op::kIconst0);
    const base::Bytes bytes = code_.instructions.code();
    switch (opcode) {
      case op::kBipush:
        return "#" + std::to_string(static_cast<std::int8_t>(bytes[instruction.pc + 1]));
      case op::kSipush:
        return "#" + std::to_string(static_cast<std::int16_t>(ReadClass::operand(code_, instruction)));
      case op::kLdcW:
      case op::kLdc2W: {
        const std::int64_t value = read_.numbers.at(ReadClass::operand(code_, instruction));
        const bool mute = value == static_cast<std::int64_t>(core::CommonNodes::instance().mute);
        return mute ? "mute" : "#" + std::to_string(value);
      }
      default:
        return plain_name(opcode);
    }
  }

  std::string callee(const classfile::Instruction& instruction) const {
    const auto ref = *read_.file.pool.member_ref(ReadClass::operand(code_, instruction));
    for (const ProbeMethod& probe : kProbeMethods) {
      const bool is_it = instruction.opcode == op::kInvokestatic && ref.class_name == kObjectClass &&
                         ref.name == probe.method.name && ref.descriptor == probe.method.descriptor;
      if (is_it) return probe.original;
    }
    return std::string(ref.class_name) + "." + std::string(ref.name);
  }

  static std::string plain_name(std::uint8_t opcode) {
    struct Name {
      std::uint8_t opcode;
      const char* name;
    };
    static constexpr std::array kNames = {
        Name{op::kNop, "nop"},       Name{op::kAconstNull, "null"}, Name{op::kPop, "pop"},
        Name{op::kDup, "dup"},       Name{op::kDup2, "dup2"},       Name{op::kIfeq, "ifeq"},
        Name{op::kLconst0, "0L"},    Name{op::kLcmp, "lcmp"},       Name{op::kIfne, "ifne"},
        Name{op::kGoto, "goto"},     Name{op::kReturn, "return"},   Name{op::kReturn - 1, "areturn"},
        Name{op::kAthrow, "athrow"},
    };
    for (const Name& name : kNames) {
      if (name.opcode == opcode) return name.name;
    }
    return "opcode " + std::to_string(opcode);
  }

  const ReadClass& read_;
  classfile::CodeAttribute code_;
  unsigned first_new_;
};

// The agent's tables, and classes that pass through its rewriter.
struct Rewriting {
  explicit Rewriting(Filter with = {}) : filter(std::move(with)) {}

  ByteVector rewrite(ClassBuilder builder, bool hidden = false) { return rewriter.rewrite(builder.build(), hidden); }
  // The new code of one method of a class.
  std::string listing(ClassBuilder builder, std::string_view name, std::string_view descriptor, bool hidden = false) {
    const ReadClass read(rewrite(std::move(builder), hidden));
    return Listing(read, *read.find(name, descriptor)).text();
  }

  core::MethodTable methods;
  Filter filter;
  ClassRegistry registry{methods, filter};
  ClassRewriter rewriter{methods, registry};
};

}  // namespace bursar::agent
