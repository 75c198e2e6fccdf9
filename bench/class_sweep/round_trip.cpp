#include "round_trip.h"

#include <algorithm>

#include "classfile/class_file.h"
#include "classfile/code_attribute.h"
#include "classfile/code_layout.h"
#include "classfile/stack_map.h"

namespace bursar::class_sweep {
namespace {

using namespace classfile;

bool same_frames(const StackMap& a, const StackMap& b) {
  return std::equal(a.frames.begin(), a.frames.end(), b.frames.begin(), b.frames.end(),
                    [](const Frame& x, const Frame& y) {
                      return x.position == y.position && x.locals == y.locals && x.stack == y.stack;
                    });
}

std::optional<std::string> stack_map_difference(ClassFile& file, const Member& method, base::Bytes data) {
  const auto parse = [&](base::Bytes bytes) -> std::optional<StackMap> {
    auto map = StackMap::initial(file.member_descriptor(method), (method.access & kAccStatic) != 0,
                                 file.member_name(method) == "<init>", file.this_class);
    if (!map || map->parse(bytes) != StackMap::ParseResult::kOk) return std::nullopt;
    return map;
  };
  const auto map = parse(data);
  if (!map) return "its stack map cannot be read";
  const auto written = map->write(file.pool);
  if (!written) return "its stack map cannot be written";
  const auto again = parse(*written);
  if (!again || !same_frames(*map, *again)) return "its stack map changed";
  if (written->size() > data.size()) return "its stack map grew";
  return std::nullopt;
}

std::optional<std::string> code_difference(ClassFile& file, const Member& method, base::Bytes data) {
  const auto code = CodeAttribute::parse(data, file.pool);
  if (!code) return code.error().message;
  CodeLayout layout(code->instructions);
  if (layout.run() != CodeLayout::Outcome::kOk) return "its code cannot be laid out";
  if (!std::ranges::equal(layout.code(), code->instructions.code())) return "its code changed";
  for (const Attribute& attribute : code->attributes) {
    if (file.attribute_name(attribute) != "StackMapTable") continue;
    if (auto difference = stack_map_difference(file, method, attribute.data)) return difference;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> round_trip_difference(base::Bytes class_file) {
  auto file = ClassFile::parse(class_file);
  if (!file) return file.error().message;
  if (!std::ranges::equal(file->write(), class_file)) return "the class file changed";
  for (const Member& method : file->methods) {
    const int at = file->code_attribute(method);
    if (at < 0) continue;
    const auto& attribute = method.attributes[static_cast<std::size_t>(at)];
    if (const auto difference = code_difference(*file, method, attribute.data)) {
      return "method " + std::string(file->member_name(method)) + ": " + *difference;
    }
  }
  return std::nullopt;
}

}  // namespace bursar::class_sweep
