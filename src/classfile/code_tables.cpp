#include "classfile/code_tables.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "base/byte_writer.h"

namespace bursar::classfile {
namespace {

// The range [start, start + length) of a debug table. What began with the method still does, prologue included; what
// lasted to its end still does, detours included. In the unwind the method's own variables are no more.
struct Range {
  std::uint32_t start;
  std::uint32_t length;
};

std::optional<Range> move_range(Range range, const Instructions& instructions, const CodeLayout& layout) {
  const std::uint32_t first = instructions.index_at(range.start);
  const std::uint32_t last = instructions.index_at(range.start + range.length);
  if (first == Instructions::kNotAStart || last == Instructions::kNotAStart) return std::nullopt;
  const std::uint32_t start = first == 0 ? 0 : layout.edge_position(first);
  const std::uint32_t end = last == instructions.size() ? layout.unwind_position(0)
                            : last == 0                 ? 0
                                                        : layout.edge_position(last);
  return Range{start, end - start};
}

struct Line {
  std::uint32_t pc;
  std::uint32_t number;
};

std::uint32_t line_at(const std::vector<Line>& sorted, std::uint32_t pc) {
  const auto behind = std::upper_bound(sorted.begin(), sorted.end(), pc,
                                       [](std::uint32_t wanted, const Line& line) { return wanted < line.pc; });
  return behind == sorted.begin() ? 0 : std::prev(behind)->number;
}

// Steps over the annotations of a RuntimeXTypeAnnotations attribute and patches the positions in a copy of it.
class TypeAnnotationMover {
 public:
  TypeAnnotationMover(base::Bytes data, const Instructions& instructions, const CodeLayout& layout,
                      std::span<const std::uint32_t> new_entry)
      : reader_(data), instructions_(instructions), layout_(layout), new_entry_(new_entry) {
    out_.append(data);
  }

  MovedBytes run() {
    const std::uint32_t count = reader_.u2_be();
    for (std::uint32_t i = 0; i < count; ++i) {
      if (!target() || !type_path() || !annotation(0)) return std::nullopt;
    }
    if (!reader_.ok() || !reader_.at_end()) return std::nullopt;
    return out_.take();
  }

 private:
  static constexpr int kMaxNesting = 64;

  bool target() {
    const std::uint8_t type = reader_.u1();
    switch (type) {
      case 0x40:  // local variable
      case 0x41:  // resource variable
        return local_variable_ranges();
      case 0x42: {  // exception parameter
        const std::size_t at = reader_.position();
        const std::uint32_t entry = reader_.u2_be();
        if (!reader_.ok() || entry >= new_entry_.size()) return false;
        out_.patch_u2_be(at, new_entry_[entry]);
        return true;
      }
      case 0x43:  // instanceof
      case 0x44:  // new
      case 0x45:  // constructor reference
      case 0x46:  // method reference
        return offset();
      case 0x47:  // cast
      case 0x48:  // type arguments of calls and references
      case 0x49:
      case 0x4a:
      case 0x4b:
        if (!offset()) return false;
        reader_.skip(1);
        return reader_.ok();
      default:
        return false;  // targets outside code do not belong here
    }
  }

  bool offset() {
    const std::size_t at = reader_.position();
    const std::uint32_t index = instructions_.index_at(reader_.u2_be());
    if (!reader_.ok() || index >= instructions_.size()) return false;
    out_.patch_u2_be(at, layout_.position(index));
    return true;
  }

  bool local_variable_ranges() {
    const std::uint32_t count = reader_.u2_be();
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::size_t at = reader_.position();
      Range range{};
      range.start = reader_.u2_be();
      range.length = reader_.u2_be();
      const std::uint32_t local = reader_.u2_be();
      const auto moved = move_range(range, instructions_, layout_);
      if (!reader_.ok() || !moved || layout_.move(local) > 65535) return false;
      out_.patch_u2_be(at, moved->start);
      out_.patch_u2_be(at + 2, moved->length);
      out_.patch_u2_be(at + 4, layout_.move(local));
    }
    return reader_.ok();
  }

  bool type_path() {
    reader_.skip(std::size_t{2} * reader_.u1());
    return reader_.ok();
  }

  bool annotation(int nesting) {
    reader_.skip(2);
    const std::uint32_t pairs = reader_.u2_be();
    for (std::uint32_t i = 0; i < pairs; ++i) {
      reader_.skip(2);
      if (!element(nesting + 1)) return false;
    }
    return reader_.ok();
  }

  bool element(int nesting) {
    if (nesting > kMaxNesting) return false;
    const std::uint8_t tag = reader_.u1();
    if (tag == '@') return annotation(nesting);
    if (tag == '[') {
      const std::uint32_t count = reader_.u2_be();
      for (std::uint32_t i = 0; i < count; ++i) {
        if (!element(nesting + 1)) return false;
      }
      return reader_.ok();
    }
    if (std::string_view("BCDFIJSZsce").find(static_cast<char>(tag)) == std::string_view::npos) return false;
    reader_.skip(tag == 'e' ? 4 : 2);
    return reader_.ok();
  }

  base::ByteReader reader_;
  base::ByteWriter out_;
  const Instructions& instructions_;
  const CodeLayout& layout_;
  std::span<const std::uint32_t> new_entry_;
};

}  // namespace

MovedBytes move_line_numbers(base::Bytes data, const Instructions& instructions, const CodeLayout& layout) {
  base::ByteReader reader(data);
  std::uint32_t count = reader.u2_be();
  std::vector<Line> lines;
  base::ByteWriter out;
  out.u2_be(0);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t pc = reader.u2_be();
    const std::uint32_t number = reader.u2_be();
    const std::uint32_t index = instructions.index_at(pc);
    if (!reader.ok() || index >= instructions.size()) return std::nullopt;
    lines.push_back({pc, number});
    out.u2_be(index == 0 ? 0 : layout.edge_position(index));
    out.u2_be(number);
  }
  if (!reader.ok() || !reader.at_end()) return std::nullopt;

  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.pc < b.pc; });
  std::uint32_t previous = 0;
  for (const Detour& detour : layout.detours) {
    const std::uint32_t number = line_at(lines, instructions[detour.source].pc);
    if (number == 0 || number == previous) continue;
    out.u2_be(detour.position);
    out.u2_be(number);
    previous = number;
    ++count;
  }
  if (count > 65535) return std::nullopt;
  out.patch_u2_be(0, count);
  return out.take();
}

MovedBytes move_local_variables(base::Bytes data, const Instructions& instructions, const CodeLayout& layout) {
  base::ByteReader reader(data);
  base::ByteWriter out;
  const std::uint32_t count = reader.u2_be();
  out.u2_be(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    Range range{};
    range.start = reader.u2_be();
    range.length = reader.u2_be();
    const base::Bytes name_and_type = reader.take(4);
    const std::uint32_t local = reader.u2_be();
    const auto moved = move_range(range, instructions, layout);
    if (!reader.ok() || !moved || layout.move(local) > 65535) return std::nullopt;
    out.u2_be(moved->start);
    out.u2_be(moved->length);
    out.append(name_and_type);
    out.u2_be(layout.move(local));
  }
  if (!reader.ok() || !reader.at_end()) return std::nullopt;
  return out.take();
}

MovedBytes move_type_annotations(base::Bytes data, const Instructions& instructions, const CodeLayout& layout,
                                 std::span<const std::uint32_t> new_entry) {
  return TypeAnnotationMover(data, instructions, layout, new_entry).run();
}

}  // namespace bursar::classfile
