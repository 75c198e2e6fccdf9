// Gates: the methods that have two bodies, of which each entry runs the one that counts or the other (docs/burst.md).
//
// Wherever a program stays for long there must be gates: methods with loops that call something, and recursive ones,
// known from their code. Most of them are passed so often that they are not needed; the gatekeeper closes those while
// the program runs. Owner: Session. Runs in: any
#pragma once

#include <string>
#include <unordered_set>
#include <utility>

#include "classfile/class_file.h"
#include "core/method_table.h"

namespace bursar::agent {

class Gates {
 public:
  // No method from this number on is a gate: BursarProbe keeps a table of them.
  static constexpr core::MethodId kMost = 1 << 18;
  static_assert(core::kNoMethod >= kMost);

  // `method` has code and a copy.
  bool wants(const classfile::ClassFile& file, const classfile::Member& method) const;
  // Methods that are gates whatever their code is, and then no others are: java/util/List.add.
  void name(std::string class_and_method) { named_.insert(std::move(class_and_method)); }

 private:
  std::unordered_set<std::string> named_;  // does not change once classes are loaded
};

}  // namespace bursar::agent
