#include "classfile/exception_table.h"

#include <algorithm>

#include "base/byte_writer.h"

namespace bursar::classfile {
namespace {

class ExceptionTable {
 public:
  ExceptionTable(const CodeAttribute& code, const CodeLayout& layout, const UnwindCover& cover)
      : code_(code), layout_(layout), cover_(cover) {
    out_.u2_be(0);
  }

  std::optional<MovedExceptions> run() {
    MovedExceptions result;
    for (const ExceptionEntry& entry : code_.exceptions) {
      result.new_entry.push_back(count_);
      write_around_stones(layout_.edge_position(entry.start), layout_.edge_position(entry.end), destination(entry));
    }
    for (const ExceptionEntry& entry : code_.exceptions) write_detours(entry);
    if (layout_.unwinds != 0) cover_.is_whole() ? write_whole_unwind() : write_unwind_of_constructor();
    if (count_ > 65535) return std::nullopt;
    out_.patch_u2_be(0, count_);
    result.bytes = out_.take();
    return result;
  }

 private:
  struct Destination {
    std::uint32_t handler;
    std::uint16_t catch_type;
  };

  Destination destination(const ExceptionEntry& entry) const {
    return {layout_.handler_position(entry.handler), entry.catch_type};
  }
  Destination destination(UnwindPart part) const { return {layout_.unwind_position(cover_.block(part)), 0}; }

  void write(std::uint32_t start, std::uint32_t end, const Destination& to) {
    if (start == end) return;
    out_.u2_be(start);
    out_.u2_be(end);
    out_.u2_be(to.handler);
    out_.u2_be(to.catch_type);
    ++count_;
  }

  // A stone's frame is that of its target, which need not suit this handler; a goto_w throws nothing.
  void write_around_stones(std::uint32_t start, std::uint32_t end, const Destination& to) {
    for (const SteppingStone& stone : layout_.stones()) {
      if (stone.position < start || stone.position >= end) continue;
      write(start, stone.position, to);
      start = stone.position + CodeLayout::kStoneSize;
    }
    write(start, end, to);
  }

  // Detours are sorted by target, so those whose targets an entry covers lie side by side.
  void write_detours(const ExceptionEntry& entry) {
    const std::vector<Detour>& detours = layout_.detours;
    const auto below = [](const Detour& detour, std::uint32_t target) { return detour.target < target; };
    const auto first = std::lower_bound(detours.begin(), detours.end(), entry.start, below);
    const auto last = std::lower_bound(first, detours.end(), entry.end, below);
    if (first == last) return;
    write(first->position, end_of(*std::prev(last)), destination(entry));
  }
  std::uint32_t end_of(const Detour& detour) const { return detour.position + layout_.detour_size(detour); }

  // Stones need not be left out: whatever their frames hold, the new locals are in it.
  void write_whole_unwind() {
    write(layout_.edge_position(0), layout_.unwind_position(0), destination(UnwindPart::kMain));
  }

  // Entries for runs of instructions, then of detours, that belong to the same part.
  void write_unwind_of_constructor() {
    UnwindPart part = UnwindPart::kNone;
    std::uint32_t start = 0;
    const auto go_on = [&](UnwindPart next, std::uint32_t position) {
      if (next == part) return;
      if (cover_.has_block(part)) write_around_stones(start, position, destination(part));
      part = next;
      start = position;
    };
    const auto count = static_cast<std::uint32_t>(code_.instructions.size());
    for (std::uint32_t i = 0; i < count; ++i) go_on(cover_.part_of(i), layout_.edge_position(i));
    for (const Detour& detour : layout_.detours) go_on(cover_.part_of(detour.target), detour.position);
    go_on(UnwindPart::kNone, layout_.unwind_position(0));
  }

  const CodeAttribute& code_;
  const CodeLayout& layout_;
  const UnwindCover& cover_;
  base::ByteWriter out_;
  std::uint32_t count_ = 0;
};

}  // namespace

std::optional<MovedExceptions> move_exceptions(const CodeAttribute& code, const CodeLayout& layout,
                                               const UnwindCover& cover) {
  return ExceptionTable(code, layout, cover).run();
}

}  // namespace bursar::classfile
