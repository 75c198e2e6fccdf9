// Gates: the methods that have two bodies, of which each entry runs the one that counts or the other (docs/burst.md).
//
// Wherever a program stays for long there must be gates: methods with loops that call something, recursive ones and
// large ones, known from their code. Most of them are entered so often that they are not needed, and cost; the
// gatekeeper drops those while the program runs.
// Runs in: any
#pragma once

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "classfile/class_file.h"
#include "core/method_table.h"

namespace bursar::agent {

class Gates {
 public:
  // `method` has code and a copy.
  bool wants(const classfile::ClassFile& file, const classfile::Member& method, core::MethodId id) const;
  void add(core::MethodId method) {
    const std::lock_guard guard(lock_);
    made_.insert(method);
  }
  // It will be none when its class is rewritten.
  void drop(core::MethodId method) {
    const std::lock_guard guard(lock_);
    made_.erase(method);
    dropped_.insert(method);
  }
  std::vector<core::MethodId> list() const {
    const std::lock_guard guard(lock_);
    return {made_.begin(), made_.end()};
  }
  std::size_t dropped() const {
    const std::lock_guard guard(lock_);
    return dropped_.size();
  }
  // Methods that are gates whatever their code is, and then no others are: java/util/List.add.
  void name(std::string class_and_method) { named_.insert(std::move(class_and_method)); }

 private:
  mutable std::mutex lock_;
  std::unordered_set<core::MethodId> made_, dropped_;
  std::unordered_set<std::string> named_;  // does not change once classes are loaded
};

}  // namespace bursar::agent
