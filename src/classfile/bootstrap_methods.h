// BootstrapMethods: what the VM links a class's dynamic call sites by, those that came with the class and those that
// probes add.
//
// Invariant: entries that came stay as they are, at the front. What is added is shared among equals, and stays even if
// the method that it was added for is left unchanged: all it names must be constants that stay.
// Owner: the rewriter, one class at a time. Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "classfile/class_file.h"

namespace bursar::classfile {

class BootstrapMethods {
 public:
  struct Entry {
    std::uint16_t method = 0;  // a MethodHandle constant
    std::vector<std::uint16_t> arguments;
    bool operator==(const Entry&) const = default;
  };

  // Of this class. Where its table is malformed nothing can be found or added.
  explicit BootstrapMethods(const ClassFile& file);

  // By its number, which InvokeDynamic constants have; null if there is none.
  const Entry* find(std::uint32_t number) const;
  // Its number; nothing if there is no room.
  std::optional<std::uint16_t> add(Entry entry);
  // Puts what was added into the class; false if its constant pool has no room.
  bool write_to(ClassFile& file) const;

 private:
  std::vector<Entry> entries_;
  std::size_t came_ = 0;
  bool malformed_ = false;
};

}  // namespace bursar::classfile
