// Two bodies in one method: which of them an invocation runs is decided at its start.
//
//   if (choose(argument)) second body; else first body
//
// Both are whole Code attributes of the same method. `choose` is a static method (I)Z. Bodies are moved as they are:
// the first starts at kFirstBody, the second behind it, at multiples of 4 that keep switches as they were.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "classfile/class_file.h"

namespace bursar::classfile {

inline constexpr std::uint32_t kFirstBody = 16;

struct Choice {
  std::string_view class_name, name;
  std::int32_t argument = 0;
};

// Nothing if one of them is malformed, they do not fit together, or the constant pool is full.
std::optional<std::vector<std::uint8_t>> two_bodies(ClassFile& file, const Member& method, const Choice& choose,
                                                    base::Bytes first, base::Bytes second);

}  // namespace bursar::classfile
