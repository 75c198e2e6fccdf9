// What tests of the agent build classes of, and what they read of those that come back.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/byte_reader.h"
#include "class_builder.h"
#include "classfile/class_file.h"
#include "classfile/code_attribute.h"

namespace bursar::agent {

using classfile::ByteVector;
using classfile::ClassBuilder;
using classfile::CodeBuilder;
namespace op = classfile::op;

inline constexpr unsigned kPublic = 0x0001, kPrivate = 0x0002, kStatic = 0x0008, kFinal = 0x0010, kNative = 0x0100,
                          kInterface = 0x0200, kAbstract = 0x0400;

inline ClassBuilder class_named(std::string name, std::string super_name = "java/lang/Object") {
  ClassBuilder builder;
  builder.name = std::move(name);
  builder.super_name = std::move(super_name);
  return builder;
}

inline CodeBuilder just_return() {
  CodeBuilder code;
  code.op(op::kReturn);
  return code;
}

// RuntimeVisibleAnnotations with one annotation without values.
inline classfile::NamedBytes annotation(ClassBuilder& owner, std::string_view type) {
  base::ByteWriter bytes;
  bytes.u2_be(1);
  bytes.u2_be(owner.utf8(type));
  bytes.u2_be(0);
  return {"RuntimeVisibleAnnotations", bytes.take()};
}

inline constexpr std::string_view kIntrinsicCandidate = "Ljdk/internal/vm/annotation/IntrinsicCandidate;";

inline void intrinsic(ClassBuilder& owner, unsigned access, std::string_view name, std::string_view descriptor,
                      const CodeBuilder& code) {
  owner.method(access, name, descriptor, {{"Code", code.attribute(owner)}, annotation(owner, kIntrinsicCandidate)});
}

// A class file parsed, with the methods' code. Not to be copied or moved: the parts refer to each other.
struct ReadClass {
  explicit ReadClass(ByteVector class_file)
      : bytes(std::move(class_file)), file(classfile::ClassFile::parse(bytes).value()), numbers(numbers_of(bytes)) {}
  ReadClass(const ReadClass&) = delete;
  ReadClass& operator=(const ReadClass&) = delete;

  const classfile::Member* find(std::string_view name, std::string_view descriptor) const {
    for (const classfile::Member& method : file.methods) {
      if (file.member_name(method) == name && file.member_descriptor(method) == descriptor) return &method;
    }
    return nullptr;
  }
  base::Bytes code_bytes(const classfile::Member& method) const {
    return method.attributes.at(static_cast<std::size_t>(file.code_attribute(method))).data;
  }
  classfile::CodeAttribute code_of(const classfile::Member& method) const {
    return classfile::CodeAttribute::parse(code_bytes(method), file.pool).value();
  }
  static std::uint32_t operand(const classfile::CodeAttribute& code, const classfile::Instruction& instruction) {
    base::ByteReader reader(code.instructions.code().subspan(instruction.pc + 1));
    return reader.u2_be();
  }

  ByteVector bytes;
  classfile::ClassFile file;
  std::map<std::uint32_t, std::int64_t> numbers;  // int and long constants, by index

 private:
  static std::map<std::uint32_t, std::int64_t> numbers_of(base::Bytes file_bytes) {
    std::map<std::uint32_t, std::int64_t> numbers;
    base::ByteReader reader(file_bytes.subspan(8));
    const std::uint32_t count = reader.u2_be();
    for (std::uint32_t i = 1; i < count; ++i) {
      switch (const std::uint32_t tag = reader.u1()) {
        case 1:
          reader.skip(reader.u2_be());
          break;
        case 3:
          numbers[i] = static_cast<std::int32_t>(reader.u4_be());
          break;
        case 5:
        case 6: {
          const std::uint64_t high = reader.u4_be();
          numbers[i++] = static_cast<std::int64_t>(high << 32 | reader.u4_be());
          break;
        }
        case 7:
        case 8:
        case 16:
          reader.skip(2);
          break;
        case 15:
          reader.skip(3);
          break;
        default:
          static_cast<void>(tag);
          reader.skip(4);
      }
    }
    return numbers;
  }
};

}  // namespace bursar::agent
