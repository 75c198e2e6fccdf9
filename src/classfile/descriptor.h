// Reading method and field descriptors such as (IJLjava/lang/String;[[D)V.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace bursar::classfile {

// Cuts the first field type off `text`; nothing if there is none. `[[D` and `Ljava/lang/String;` are one type each.
inline std::optional<std::string_view> take_field_type(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] == '[') ++end;
  if (end >= text.size() || end > 255) return std::nullopt;
  if (text[end] == 'L') {
    end = text.find(';', end);
    if (end == std::string_view::npos) return std::nullopt;
  } else if (std::string_view("BCDFIJSZ").find(text[end]) == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view type = text.substr(0, end + 1);
  text.remove_prefix(end + 1);
  return type;
}

inline unsigned slots_of(std::string_view field_type) {
  return field_type == "J" || field_type == "D" ? 2 : 1;
}

struct CallShape {
  unsigned argument_slots;
  unsigned result_slots;
};

// Slots that a call of this method takes and leaves, without the receiver; nothing if the descriptor is malformed.
inline std::optional<CallShape> call_shape(std::string_view descriptor) {
  if (descriptor.empty() || descriptor.front() != '(') return std::nullopt;
  descriptor.remove_prefix(1);
  CallShape shape{0, 0};
  while (!descriptor.empty() && descriptor.front() != ')') {
    const auto type = take_field_type(descriptor);
    if (!type) return std::nullopt;
    shape.argument_slots += slots_of(*type);
  }
  if (descriptor.empty()) return std::nullopt;
  descriptor.remove_prefix(1);
  if (descriptor == "V") return shape;
  const auto type = take_field_type(descriptor);
  if (!type || !descriptor.empty()) return std::nullopt;
  shape.result_slots = slots_of(*type);
  return shape;
}

}  // namespace bursar::classfile
