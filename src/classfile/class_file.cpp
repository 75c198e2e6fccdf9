#include "classfile/class_file.h"

#include <string>
#include <utility>

namespace bursar::classfile {
namespace {

constexpr std::uint32_t kMagic = 0xcafebabe;

bool parse_members(base::ByteReader& reader, const ConstantPool& pool, std::vector<Member>& members) {
  const std::uint32_t count = reader.u2_be();
  members.reserve(std::min<std::size_t>(count, reader.remaining() / 8));
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    Member member;
    member.access = reader.u2_be();
    member.name_index = reader.u2_be();
    member.descriptor_index = reader.u2_be();
    if (!reader.ok() || !pool.utf8(member.name_index) || !pool.utf8(member.descriptor_index)) return false;
    if (!parse_attributes(reader, pool, member.attributes)) return false;
    members.push_back(std::move(member));
  }
  return reader.ok();
}

void write_members(base::ByteWriter& out, const std::vector<Member>& members) {
  out.u2_be(static_cast<std::uint32_t>(members.size()));
  for (const Member& member : members) {
    out.u2_be(member.access);
    out.u2_be(member.name_index);
    out.u2_be(member.descriptor_index);
    write_attributes(out, member.attributes);
  }
}

base::Error malformed(const char* where, const base::ByteReader& reader) {
  return {"malformed class file: " + std::string(where) + " at offset " + std::to_string(reader.failed_at())};
}

}  // namespace

bool parse_attributes(base::ByteReader& reader, const ConstantPool& pool, std::vector<Attribute>& attributes) {
  const std::uint32_t count = reader.u2_be();
  attributes.reserve(std::min<std::size_t>(count, reader.remaining() / 6));
  for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
    const std::uint16_t name_index = reader.u2_be();
    const std::uint32_t length = reader.u4_be();
    const base::Bytes data = reader.take(length);
    if (!reader.ok() || pool.tag(name_index) != ConstantTag::kUtf8) return false;
    attributes.push_back({name_index, data});
  }
  return reader.ok();
}

void write_attributes(base::ByteWriter& out, const std::vector<Attribute>& attributes) {
  out.u2_be(static_cast<std::uint32_t>(attributes.size()));
  for (const Attribute& attribute : attributes) {
    out.u2_be(attribute.name_index);
    out.u4_be(static_cast<std::uint32_t>(attribute.data.size()));
    out.append(attribute.data);
  }
}

base::Result<ClassFile> ClassFile::parse(base::Bytes bytes) {
  base::ByteReader reader(bytes);
  if (reader.u4_be() != kMagic) return base::Error{"not a class file: it does not begin with CAFEBABE"};
  ClassFile file;
  file.minor_version = reader.u2_be();
  file.major_version = reader.u2_be();
  if (file.major_version > kNewestMajorVersion) {
    return base::Error{"class file version " + std::to_string(file.major_version) + " is newer than Java 25's (" +
                       std::to_string(kNewestMajorVersion) + ")"};
  }
  base::Result<ConstantPool> pool = ConstantPool::parse(reader, bytes);
  if (!pool) return base::Error{"malformed class file: " + pool.error().message};
  file.pool = *std::move(pool);

  file.access = reader.u2_be();
  file.this_class = reader.u2_be();
  file.super_class = reader.u2_be();
  if (!reader.ok() || !file.pool.class_name(file.this_class)) return malformed("no class of its own", reader);
  if (file.super_class != 0 && !file.pool.class_name(file.super_class)) return malformed("bad superclass", reader);
  const std::uint32_t interface_count = reader.u2_be();
  for (std::uint32_t i = 0; i < interface_count && reader.ok(); ++i) file.interfaces.push_back(reader.u2_be());
  if (!reader.ok()) return malformed("interfaces", reader);
  if (!parse_members(reader, file.pool, file.fields)) return malformed("fields", reader);
  if (!parse_members(reader, file.pool, file.methods)) return malformed("methods", reader);
  if (!parse_attributes(reader, file.pool, file.attributes)) return malformed("attributes", reader);
  if (!reader.at_end()) return malformed("bytes after the end", reader);
  return file;
}

std::vector<std::uint8_t> ClassFile::write() const {
  base::ByteWriter out;
  out.u4_be(kMagic);
  out.u2_be(minor_version);
  out.u2_be(major_version);
  pool.write(out);
  out.u2_be(access);
  out.u2_be(this_class);
  out.u2_be(super_class);
  out.u2_be(static_cast<std::uint32_t>(interfaces.size()));
  for (const std::uint16_t index : interfaces) out.u2_be(index);
  write_members(out, fields);
  write_members(out, methods);
  write_attributes(out, attributes);
  return out.take();
}

base::Bytes ClassFile::keep(std::vector<std::uint8_t> bytes) {
  return kept_.emplace_back(std::move(bytes));
}

int ClassFile::code_attribute(const Member& method) const {
  for (std::size_t i = 0; i < method.attributes.size(); ++i) {
    if (attribute_name(method.attributes[i]) == "Code") return static_cast<int>(i);
  }
  return -1;
}

}  // namespace bursar::classfile
