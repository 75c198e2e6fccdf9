#include "classfile/stack_map.h"

#include <algorithm>

#include "classfile/descriptor.h"

namespace bursar::classfile {
namespace {

using enum VerificationType::Tag;

std::optional<VerificationType> parse_type(base::ByteReader& reader) {
  const std::uint8_t tag = reader.u1();
  if (tag > kUninitialized) return std::nullopt;
  VerificationType type{static_cast<VerificationType::Tag>(tag), 0};
  if (tag == kObject || tag == kUninitialized) type.data = reader.u2_be();
  return type;
}

bool parse_types(base::ByteReader& reader, std::size_t count, Types& types) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto type = parse_type(reader);
    if (!type || !reader.ok()) return false;
    types.push_back(*type);
  }
  return true;
}

void write_type(base::ByteWriter& out, const VerificationType& type) {
  out.u1(type.tag);
  if (type.tag == kObject || type.tag == kUninitialized) out.u2_be(type.data);
}

std::size_t common_prefix(const Types& a, const Types& b) {
  const std::size_t limit = std::min(a.size(), b.size());
  std::size_t i = 0;
  while (i < limit && a[i] == b[i]) ++i;
  return i;
}

}  // namespace

std::optional<StackMap> StackMap::initial(std::string_view descriptor, bool is_static, bool is_constructor,
                                          std::uint16_t this_class) {
  StackMap map;
  if (!is_static) {
    map.initial_.push_back(is_constructor ? VerificationType{kUninitializedThis}
                                          : VerificationType{kObject, this_class});
  }
  if (!call_shape(descriptor)) return std::nullopt;
  descriptor.remove_prefix(1);
  while (descriptor.front() != ')') {
    const std::string_view type = *take_field_type(descriptor);
    switch (type.front()) {
      case 'J':
        map.initial_.push_back({kLong});
        break;
      case 'D':
        map.initial_.push_back({kDouble});
        break;
      case 'F':
        map.initial_.push_back({kFloat});
        break;
      case 'L':
      case '[':
        map.initial_.push_back({kParameter, static_cast<std::uint32_t>(map.parameter_classes_.size())});
        map.parameter_classes_.push_back(type.front() == 'L' ? type.substr(1, type.size() - 2) : type);
        break;
      default:
        map.initial_.push_back({kInteger});
    }
  }
  return map;
}

StackMap::ParseResult StackMap::parse(base::Bytes attribute) {
  base::ByteReader reader(attribute);
  const std::uint32_t count = reader.u2_be();
  std::int64_t position = -1;
  Types locals = initial_;
  std::size_t types_left = kMaxTypes;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!parse_frame(reader, position, locals, types_left)) return ParseResult::kMalformed;
    if (types_left == 0) return ParseResult::kTooLarge;
  }
  return reader.at_end() && reader.ok() ? ParseResult::kOk : ParseResult::kMalformed;
}

bool StackMap::parse_frame(base::ByteReader& reader, std::int64_t& position, Types& locals, std::size_t& types_left) {
  const std::uint32_t kind = reader.u1();
  Frame frame;
  std::uint32_t delta = 0;
  if (kind < 64) {  // same_frame
    delta = kind;
  } else if (kind < 128) {  // same_locals_1_stack_item_frame
    delta = kind - 64;
    if (!parse_types(reader, 1, frame.stack)) return false;
  } else if (kind < 247) {
    return false;
  } else {
    delta = reader.u2_be();
    if (kind == 247) {  // same_locals_1_stack_item_frame_extended
      if (!parse_types(reader, 1, frame.stack)) return false;
    } else if (kind < 251) {  // chop_frame
      const std::size_t chopped = 251 - kind;
      if (chopped > locals.size()) return false;
      locals.resize(locals.size() - chopped);
    } else if (kind > 251 && kind < 255) {  // append_frame
      if (!parse_types(reader, kind - 251, locals)) return false;
    } else if (kind == 255) {  // full_frame
      locals.clear();
      if (!parse_types(reader, reader.u2_be(), locals)) return false;
      if (!parse_types(reader, reader.u2_be(), frame.stack)) return false;
    }
  }
  if (!reader.ok()) return false;
  position += delta + 1;
  frame.position = static_cast<std::uint32_t>(position);
  const std::size_t size = locals.size() + frame.stack.size() + 1;
  types_left -= std::min(types_left, size);
  if (types_left == 0) return true;  // the caller refuses the table
  frame.locals = locals;
  frames.push_back(std::move(frame));
  return true;
}

std::uint32_t StackMap::parameter_slots() const {
  std::uint32_t slots = 0;
  for (const VerificationType& type : initial_) slots += type.slots();
  return slots;
}

std::size_t StackMap::size() const {
  std::size_t size = 0;
  for (const Frame& frame : frames) size += frame.locals.size() + frame.stack.size() + 1;
  return size;
}

StackMap::InsertResult StackMap::insert_locals(std::uint32_t slot, std::span<const VerificationType> types) {
  std::size_t total = 0;
  for (Frame& frame : frames) {
    std::uint32_t at_slot = 0;
    auto at = frame.locals.begin();
    while (at != frame.locals.end() && at_slot < slot) at_slot += (at++)->slots();
    if (at_slot > slot) return InsertResult::kLiesAcross;
    total += frame.locals.size() + (slot - at_slot) + types.size() + frame.stack.size() + 1;
    if (total > kMaxTypes) return InsertResult::kTooLarge;
    if (at_slot < slot) {
      frame.locals.insert(frame.locals.end(), slot - at_slot, VerificationType{kTop});
      at = frame.locals.end();
    }
    frame.locals.insert(at, types.begin(), types.end());
  }
  return InsertResult::kOk;
}

std::optional<VerificationType> StackMap::spelt_out(const VerificationType& type, ConstantPool& pool) const {
  if (type.tag != kParameter) return type;
  const auto index = pool.add_class(parameter_classes_[type.data]);
  if (!index) return std::nullopt;
  return VerificationType{kObject, *index};
}

std::optional<std::vector<std::uint8_t>> StackMap::write(ConstantPool& pool) const {
  base::ByteWriter out;
  if (frames.size() > 65535) return std::nullopt;
  out.u2_be(static_cast<std::uint32_t>(frames.size()));
  const Types* locals = &initial_;
  std::int64_t position = -1;
  for (const Frame& frame : frames) {
    const std::int64_t delta = std::int64_t{frame.position} - position - 1;
    if (delta < 0 || delta > 65535) return std::nullopt;
    position = frame.position;
    const auto offset = static_cast<std::uint32_t>(delta);
    const std::size_t shared = common_prefix(*locals, frame.locals);
    const std::size_t gone = locals->size() - shared;
    const std::size_t added = frame.locals.size() - shared;
    if (gone == 0 && added == 0 && frame.stack.empty()) {
      if (offset < 64) {
        out.u1(offset);
      } else {
        out.u1(251);
        out.u2_be(offset);
      }
    } else if (gone == 0 && added == 0 && frame.stack.size() == 1) {
      if (offset < 64) {
        out.u1(64 + offset);
      } else {
        out.u1(247);
        out.u2_be(offset);
      }
      const auto type = spelt_out(frame.stack.front(), pool);
      if (!type) return std::nullopt;
      write_type(out, *type);
    } else if (added == 0 && gone <= 3 && frame.stack.empty()) {
      out.u1(static_cast<std::uint32_t>(251 - gone));
      out.u2_be(offset);
    } else if (gone == 0 && added <= 3 && frame.stack.empty()) {
      out.u1(static_cast<std::uint32_t>(251 + added));
      out.u2_be(offset);
      for (std::size_t i = shared; i < frame.locals.size(); ++i) {
        const auto type = spelt_out(frame.locals[i], pool);
        if (!type) return std::nullopt;
        write_type(out, *type);
      }
    } else {
      out.u1(255);
      out.u2_be(offset);
      for (const Types* types : {&frame.locals, &frame.stack}) {
        out.u2_be(static_cast<std::uint32_t>(types->size()));
        for (const VerificationType& listed : *types) {
          const auto type = spelt_out(listed, pool);
          if (!type) return std::nullopt;
          write_type(out, *type);
        }
      }
    }
    locals = &frame.locals;
  }
  return out.take();
}

}  // namespace bursar::classfile
