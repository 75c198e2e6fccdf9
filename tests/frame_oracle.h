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

  // The frame at an instruction as text. `name_of_new` names a `new` instruction of this method; `inserted` are words
  // of new slots, which stand at `at_slot`.
  std::string text(std::uint32_t instruction, const std::function<std::string(std::uint32_t)>& name_of_new,
                   std::uint32_t at_slot = 0, const std::vector<std::string>& inserted = {}) const {
    const Frame& frame = frames_.at(instruction);
    std::vector<std::string> locals = words(frame.locals, name_of_new);
    if (!inserted.empty()) {
      while (locals.size() < at_slot) locals.emplace_back("top");
      locals.insert(locals.begin() + at_slot, inserted.begin(), inserted.end());
    }
    std::string result;
    for (const std::string& word : locals) result += word + " ";
    result += "|";
    for (const std::string& word : words(frame.stack, name_of_new)) result += " " + word;
    return result;
  }

 private:
  std::vector<std::string> words(const Types& types,
                                 const std::function<std::string(std::uint32_t)>& name_of_new) const {
    static constexpr const char* kNames[] = {"top", "int", "float", "double", "long", "null", "this?"};
    std::vector<std::string> result;
    for (const VerificationType& type : types) {
      if (type.tag == VerificationType::kParameter) {
        result.push_back(parameters_.at(type.data));
      } else if (type.tag == VerificationType::kObject) {
        const auto name = file_.pool.class_name(type.data);
        result.push_back(name ? std::string(*name) : "#" + std::to_string(type.data));
      } else if (type.tag == VerificationType::kUninitialized) {
        result.push_back("new@" + name_of_new(code_.instructions.index_at(type.data)));
      } else {
        result.emplace_back(kNames[type.tag]);
      }
      if (type.slots() == 2) result.emplace_back("..");
    }
    return result;
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
