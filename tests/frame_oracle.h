// FrameOracle: what the stack-map frames of a method with HitProbes must be, worked out slot by slot.
//
// Frames are compared as text, one word for each slot, so that a type means the same in the old and the new class file
// however it is spelt: by constant, as a parameter, as the position of a `new`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "classfile/class_file.h"
#include "classfile/code_attribute.h"
#include "classfile/descriptor.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {

class FrameOracle {
 public:
  FrameOracle(const ClassFile& file, const Member& method, const CodeAttribute& code) : file_(file), code_(code) {
    std::string_view types = file.member_descriptor(method);
    types.remove_prefix(1);
    while (types.front() != ')') {
      const std::string_view type = *take_field_type(types);
      parameter_slots_ += slots_of(type);
      if (type.front() == 'L') parameters_.emplace_back(type.substr(1, type.size() - 2));
      if (type.front() == '[') parameters_.emplace_back(type);
    }
    const bool is_static = (method.access & kAccStatic) != 0;
    parameter_slots_ += is_static ? 0 : 1;
    auto map = StackMap::initial(file.member_descriptor(method), is_static, file.member_name(method) == "<init>",
                                 file.this_class);
    for (const Attribute& attribute : code.attributes) {
      if (file.attribute_name(attribute) != "StackMapTable") continue;
      has_map_ = true;
      sound_ = map->parse(attribute.data) == StackMap::ParseResult::kOk;
    }
    for (const Frame& frame : map->frames) {
      const std::uint32_t index = code.instructions.index_at(frame.position);
      sound_ = sound_ && index < code.instructions.size();
      frames_[index] = frame;
    }
  }

  bool has_map() const { return has_map_; }
  // Every frame could be read and stands at an instruction.
  bool sound() const { return sound_; }
  bool has_frame(std::uint32_t instruction) const { return frames_.contains(instruction); }
  std::uint32_t parameter_slots() const { return parameter_slots_; }

  // The frame at an instruction as text. `name_of_new` names a `new` instruction of this method.
  using NameOfNew = std::function<std::string(std::uint32_t)>;
  std::string text(std::uint32_t instruction, const NameOfNew& name_of_new) const {
    const Frame& frame = frames_.at(instruction);
    return words(slots(frame.locals), name_of_new) + "|" + words(slots(frame.stack), name_of_new);
  }

  // The same with the locals of HitProbes put in at a slot.
  std::string text_with_hit_locals(std::uint32_t instruction, const NameOfNew& name_of_new, std::uint32_t at) const {
    const Frame& frame = frames_.at(instruction);
    Types locals = slots(frame.locals);
    if (locals.size() < at) locals.resize(at);
    const Types added = {{VerificationType::kInteger}, {VerificationType::kLong}, {kSecondHalf}, {kHit}};
    locals.insert(locals.begin() + at, added.begin(), added.end());
    return words(locals, name_of_new) + "|" + words(slots(frame.stack), name_of_new);
  }

 private:
  static constexpr auto kSecondHalf = static_cast<VerificationType::Tag>(120);
  static constexpr auto kHit = static_cast<VerificationType::Tag>(121);

  static Types slots(const Types& types) {
    Types result;
    for (const VerificationType& type : types) {
      result.push_back(type);
      if (type.slots() == 2) result.push_back({kSecondHalf});
    }
    return result;
  }

  // One word for each slot; a row of unset ones, which may be tens of thousands, is one word.
  std::string words(const Types& types, const NameOfNew& name_of_new) const {
    std::string result;
    std::size_t unset = 0;
    for (const VerificationType& type : types) {
      if (type.tag == VerificationType::kTop) {
        ++unset;
        continue;
      }
      if (unset != 0) result += "top*" + std::to_string(unset) + " ";
      unset = 0;
      result += word(type, name_of_new) + " ";
    }
    if (unset != 0) result += "top*" + std::to_string(unset) + " ";
    return result;
  }

  std::string word(const VerificationType& type, const NameOfNew& name_of_new) const {
    static constexpr const char* kNames[] = {"top", "int", "float", "double", "long", "null", "this?"};
    if (type.tag == kSecondHalf) return "..";
    if (type.tag == kHit) return "Hit";
    if (type.tag == VerificationType::kParameter) return parameters_.at(type.data);
    if (type.tag == VerificationType::kUninitialized) {
      return "new@" + name_of_new(code_.instructions.index_at(type.data));
    }
    if (type.tag != VerificationType::kObject) return kNames[type.tag];
    const auto name = file_.pool.class_name(type.data);
    return name ? std::string(*name) : "#" + std::to_string(type.data);
  }

  const ClassFile& file_;
  const CodeAttribute& code_;
  std::vector<std::string> parameters_;  // the object ones
  std::uint32_t parameter_slots_ = 0;
  std::map<std::uint32_t, Frame> frames_;  // by instruction
  bool has_map_ = false;
  bool sound_ = true;
};

}  // namespace bursar::classfile
