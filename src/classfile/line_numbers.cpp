#include "classfile/line_numbers.h"

#include <algorithm>

#include "base/byte_reader.h"

namespace bursar::classfile {

LineNumbers LineNumbers::of(const ClassFile& file, const CodeAttribute& code) {
  LineNumbers lines;
  for (const Attribute& attribute : code.attributes) {
    if (file.attribute_name(attribute) != "LineNumberTable") continue;
    base::ByteReader in(attribute.data);
    for (std::uint32_t count = in.u2_be(); count > 0 && in.ok(); --count) {
      const std::uint32_t pc = in.u2_be();
      lines.starts_.emplace_back(pc, in.u2_be());
    }
    if (in.ok()) continue;
    lines.starts_.clear();
    return lines;
  }
  // Of several entries for one place the last counts, as in HotSpot's stack traces.
  std::stable_sort(lines.starts_.begin(), lines.starts_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return lines;
}

std::optional<std::uint32_t> LineNumbers::line_at(std::uint32_t pc) const {
  const auto behind = std::upper_bound(starts_.begin(), starts_.end(), pc,
                                       [](std::uint32_t at, const auto& start) { return at < start.first; });
  if (behind == starts_.begin()) return std::nullopt;
  return (behind - 1)->second;
}

}  // namespace bursar::classfile
