// ClassFile: a class file taken apart into constants, members and attributes, and put together again.
//
// Invariant: write() of a parsed and unedited ClassFile gives the bytes that were parsed. Attributes are spans, of the
// original file or of bytes the ClassFile was given to keep; the original bytes must outlive it. Reads every version up
// to Java 25's; newer ones are refused, because they may hold what we would break.
// Runs in: any thread that may allocate
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <vector>

#include "base/byte_reader.h"
#include "base/result.h"
#include "classfile/constant_pool.h"

namespace bursar::classfile {

inline constexpr std::uint16_t kNewestMajorVersion = 69;  // Java 25
inline constexpr std::uint16_t kFirstVersionWithStackMaps = 50;
inline constexpr std::uint16_t kFirstVersionThatNeedsStackMaps = 51;

inline constexpr std::uint16_t kAccPublic = 0x0001;
inline constexpr std::uint16_t kAccPrivate = 0x0002;
inline constexpr std::uint16_t kAccStatic = 0x0008;
inline constexpr std::uint16_t kAccFinal = 0x0010;
inline constexpr std::uint16_t kAccSynchronized = 0x0020;
inline constexpr std::uint16_t kAccNative = 0x0100;
inline constexpr std::uint16_t kAccAbstract = 0x0400;

struct Attribute {
  std::uint16_t name_index;
  base::Bytes data;
};

struct Member {
  std::uint16_t access;
  std::uint16_t name_index;
  std::uint16_t descriptor_index;
  std::vector<Attribute> attributes;
};

class ClassFile {
 public:
  static base::Result<ClassFile> parse(base::Bytes bytes);
  std::vector<std::uint8_t> write() const;

  // Makes the ClassFile own bytes that an attribute shall hold.
  base::Bytes keep(std::vector<std::uint8_t> bytes);

  std::string_view name() const { return *pool.class_name(this_class); }
  std::string_view attribute_name(const Attribute& attribute) const { return *pool.utf8(attribute.name_index); }
  std::string_view member_name(const Member& member) const { return *pool.utf8(member.name_index); }
  std::string_view member_descriptor(const Member& member) const { return *pool.utf8(member.descriptor_index); }
  // Index of the method's Code attribute, or -1.
  int code_attribute(const Member& method) const;

  std::uint16_t minor_version = 0;
  std::uint16_t major_version = 0;
  ConstantPool pool;
  std::uint16_t access = 0;
  std::uint16_t this_class = 0;
  std::uint16_t super_class = 0;
  std::vector<std::uint16_t> interfaces;
  std::vector<Member> fields;
  std::vector<Member> methods;
  std::vector<Attribute> attributes;

 private:
  std::deque<std::vector<std::uint8_t>> kept_;  // a deque: its elements stay where they are
};

// Attributes of a class, member or Code attribute: a count, then (name, length, bytes). Fails if a name is not a Utf8
// constant or a length runs past the end.
bool parse_attributes(base::ByteReader& reader, const ConstantPool& pool, std::vector<Attribute>& attributes);
void write_attributes(base::ByteWriter& out, const std::vector<Attribute>& attributes);

}  // namespace bursar::classfile
