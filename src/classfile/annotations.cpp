#include "classfile/annotations.h"

namespace bursar::classfile {
namespace {

// No compiler nests annotations deeper; a hostile file could.
constexpr int kMaxNesting = 64;

bool skip_element_value(base::ByteReader& reader, int nesting);

bool skip_pairs(base::ByteReader& reader, int nesting) {
  const std::uint32_t pairs = reader.u2_be();
  for (std::uint32_t i = 0; i < pairs && reader.ok(); ++i) {
    reader.u2_be();  // name
    if (!skip_element_value(reader, nesting)) return false;
  }
  return reader.ok();
}

bool skip_element_value(base::ByteReader& reader, int nesting) {
  if (nesting > kMaxNesting) return false;
  switch (reader.u1()) {
    case 'e':
      reader.skip(4);
      break;
    case '@':
      reader.u2_be();
      return skip_pairs(reader, nesting + 1);
    case '[': {
      const std::uint32_t values = reader.u2_be();
      for (std::uint32_t i = 0; i < values && reader.ok(); ++i) {
        if (!skip_element_value(reader, nesting + 1)) return false;
      }
      break;
    }
    default:
      reader.skip(2);
  }
  return reader.ok();
}

}  // namespace

bool has_annotation(const ClassFile& file, const std::vector<Attribute>& attributes, std::string_view type) {
  for (const Attribute& attribute : attributes) {
    if (file.attribute_name(attribute) != "RuntimeVisibleAnnotations") continue;
    base::ByteReader reader(attribute.data);
    const std::uint32_t count = reader.u2_be();
    for (std::uint32_t i = 0; i < count && reader.ok(); ++i) {
      if (file.pool.utf8(reader.u2_be()) == type) return true;
      if (!skip_pairs(reader, 0)) break;
    }
  }
  return false;
}

}  // namespace bursar::classfile
