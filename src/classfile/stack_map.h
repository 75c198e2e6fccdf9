// StackMap: the frames of a StackMapTable, expanded, edited and compressed again. Types are moved, never inferred here.
//
// Frames are kept as full lists of types, so that a local variable can be inserted anywhere and a frame copied to
// another place; write() finds the shortest form of each again. Locals are entries, not slots: a long or double is one
// entry that stands for two slots. The types of the parameters before the first frame are not in the table: they are
// kParameter entries, which need no constant as long as they are left where they were.
// Memory is bounded: a table that would expand beyond kMaxTypes is refused.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "classfile/constant_pool.h"

namespace bursar::classfile {

struct VerificationType {
  enum Tag : std::uint8_t {
    kTop = 0,
    kInteger = 1,
    kFloat = 2,
    kDouble = 3,
    kLong = 4,
    kNull = 5,
    kUninitializedThis = 6,
    kObject = 7,         // data: constant-pool index of the class
    kUninitialized = 8,  // data: position of the `new` instruction
    kParameter = 100,    // data: ordinal of an object parameter, see StackMap::initial
  };
  Tag tag = kTop;
  std::uint32_t data = 0;

  unsigned slots() const { return tag == kLong || tag == kDouble ? 2 : 1; }
  bool operator==(const VerificationType&) const = default;
};

using Types = std::vector<VerificationType>;

struct Frame {
  std::uint32_t position = 0;
  Types locals;
  Types stack;
};

class StackMap {
 public:
  static constexpr std::size_t kMaxTypes = std::size_t{1} << 20;

  // What holds before the first instruction, from the method's descriptor. Nothing if the descriptor is malformed.
  static std::optional<StackMap> initial(std::string_view descriptor, bool is_static, bool is_constructor,
                                         std::uint16_t this_class);

  enum class ParseResult { kOk, kMalformed, kTooLarge };
  ParseResult parse(base::Bytes attribute);

  // The frames stand in a method with more parameters now: those of the old descriptor, then others.
  void take_parameters_of(const StackMap& other) {
    initial_ = other.initial_;
    parameter_classes_ = other.parameter_classes_;
  }

  // The same frames in the shortest form; positions must ascend. Object parameters that have to be spelt out get a
  // class constant of their own: fails when the pool is full or a position does not fit.
  std::optional<std::vector<std::uint8_t>> write(ConstantPool& pool) const;

  // Slots of the receiver and the parameters.
  std::uint32_t parameter_slots() const;

  // Puts `types` at local-variable slot `slot` of every frame and moves what was there and behind; gaps become kTop.
  // Fails, with the frames in disorder, if an entry of two slots stands across `slot` or the frames grow too large.
  enum class InsertResult { kOk, kLiesAcross, kTooLarge };
  InsertResult insert_locals(std::uint32_t slot, std::span<const VerificationType> types);

  const Types& initial_locals() const { return initial_; }
  // Of a kParameter: internal name or array descriptor.
  std::string_view parameter_class(std::uint32_t ordinal) const { return parameter_classes_[ordinal]; }
  // What counts towards kMaxTypes.
  std::size_t size() const;

  std::vector<Frame> frames;

 private:
  bool parse_frame(base::ByteReader& reader, std::int64_t& position, Types& locals, std::size_t& types_left);
  std::optional<VerificationType> spelt_out(const VerificationType& type, ConstantPool& pool) const;

  Types initial_;
  std::vector<std::string_view> parameter_classes_;  // by ordinal: internal name or array descriptor
};

}  // namespace bursar::classfile
