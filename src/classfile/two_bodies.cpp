#include "classfile/two_bodies.h"

#include <algorithm>
#include <array>

#include "base/byte_writer.h"
#include "classfile/opcode.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {
namespace {

constexpr std::uint32_t kMostCode = 65535;

// A Code attribute, as far as it has to be moved.
struct Body {
  std::uint32_t start = 0;  // where it goes
  std::uint32_t entry = 0;  // where it is entered: up to three instructions that do nothing stand before it
  std::uint32_t max_stack = 0, max_locals = 0;
  base::Bytes code;
  base::Bytes exceptions;  // 8 bytes each
  std::vector<Attribute> attributes;

  bool parse(base::Bytes data, const ConstantPool& pool) {
    base::ByteReader reader(data);
    max_stack = reader.u2_be();
    max_locals = reader.u2_be();
    code = reader.take(reader.u4_be());
    exceptions = reader.take(std::size_t{reader.u2_be()} * 8);
    for (std::uint32_t left = reader.u2_be(); left > 0 && reader.ok(); --left) {
      const std::uint16_t name = reader.u2_be();
      attributes.push_back({name, reader.take(reader.u4_be())});
      if (!pool.any_utf8(name)) return false;
    }
    return reader.ok();
  }
  const Attribute* find(const ClassFile& file, std::string_view name) const {
    const auto at = std::find_if(attributes.begin(), attributes.end(),
                                 [&](const Attribute& a) { return file.pool.any_utf8(a.name_index) == name; });
    return at != attributes.end() ? &*at : nullptr;
  }
};

void append_exceptions(base::ByteWriter& out, const Body& body) {
  base::ByteReader reader(body.exceptions);
  while (!reader.at_end()) {
    for (int i = 0; i < 3; ++i) out.u2_be(reader.u2_be() + body.start);  // start, end, handler
    out.u2_be(reader.u2_be());
  }
}

// Tables of entries that begin with a position.
std::vector<std::uint8_t> joined_table(const ClassFile& file, const std::array<Body, 2>& bodies, std::string_view name,
                                       std::size_t entry_bytes) {
  base::ByteWriter out;
  std::uint32_t count = 0;
  out.u2_be(0);
  for (const Body& body : bodies) {
    const Attribute* const table = body.find(file, name);
    if (table == nullptr) continue;
    base::ByteReader reader(table->data);
    for (std::uint32_t left = reader.u2_be(); left > 0 && reader.ok(); --left) {
      out.u2_be(reader.u2_be() + body.start);
      out.append(reader.take(entry_bytes - 2));
      ++count;
    }
  }
  if (count == 0 || count > 65535) return {};
  out.patch_u2_be(0, count);
  return out.take();
}

std::optional<std::vector<std::uint8_t>> joined_frames(ClassFile& file, const Member& method,
                                                       std::string_view descriptor, const std::array<Body, 2>& bodies) {
  const auto start = StackMap::initial(descriptor, (method.access & kAccStatic) != 0,
                                       file.member_name(method) == "<init>", file.this_class);
  if (!start) return std::nullopt;
  StackMap all = *start;
  for (const Body& body : bodies) {
    StackMap map = *start;
    const Attribute* const table = body.find(file, "StackMapTable");
    if (table != nullptr && map.parse(table->data) != StackMap::ParseResult::kOk) return std::nullopt;
    if (body.entry != body.start || map.frames.empty() || map.frames.front().position != 0) {
      all.frames.push_back({.position = body.entry, .locals = start->initial_locals(), .stack = {}});
    }
    for (Frame& frame : map.frames) {
      frame.position += body.start;
      for (Types* list : {&frame.locals, &frame.stack}) {
        for (VerificationType& type : *list) {
          if (type.tag == VerificationType::kUninitialized) type.data += body.start;
        }
      }
      all.frames.push_back(std::move(frame));
    }
  }
  std::sort(all.frames.begin(), all.frames.end(),
            [](const Frame& a, const Frame& b) { return a.position < b.position; });
  if (all.size() >= StackMap::kMaxTypes) return std::nullopt;
  return all.write(file.pool);
}

}  // namespace

std::optional<std::vector<std::uint8_t>> two_bodies(ClassFile& file, const Member& method, const Choice& choose,
                                                    base::Bytes first, base::Bytes second) {
  std::array<Body, 2> bodies;
  const auto descriptor = file.pool.any_utf8(method.descriptor_index);
  if (!descriptor) return std::nullopt;
  if (!bodies[0].parse(first, file.pool) || !bodies[1].parse(second, file.pool)) return std::nullopt;
  bodies[0].start = bodies[0].entry = kFirstBody;
  bodies[1].entry = static_cast<std::uint32_t>(kFirstBody + bodies[0].code.size());
  bodies[1].start = (bodies[1].entry + 3) / 4 * 4;
  const std::size_t size = bodies[1].start + bodies[1].code.size();
  const std::size_t exceptions = (bodies[0].exceptions.size() + bodies[1].exceptions.size()) / 8;
  const auto argument = file.pool.add_integer(choose.argument);
  const auto method_ref = file.pool.add_method_ref(choose.class_name, choose.name, "(I)Z");
  if (size > kMostCode || exceptions > 65535 || !argument || !method_ref) return std::nullopt;

  base::ByteWriter code;
  code.u1(op::kNop);
  code.u1(op::kNop);
  code.u1(op::kLdcW);
  code.u2_be(*argument);
  code.u1(op::kInvokestatic);
  code.u2_be(*method_ref);
  code.u1(op::kIfeq);
  code.u2_be(8);  // to the first body
  code.u1(op::kGotoW);
  code.u4_be(bodies[1].entry - (kFirstBody - 5));
  code.append(bodies[0].code);
  while (code.size() < bodies[1].start) code.u1(op::kNop);
  code.append(bodies[1].code);

  base::ByteWriter out;
  out.u2_be(std::max({2U, bodies[0].max_stack, bodies[1].max_stack}));
  out.u2_be(std::max(bodies[0].max_locals, bodies[1].max_locals));
  out.u4_be(static_cast<std::uint32_t>(size));
  out.append(code.view());

  out.u2_be(static_cast<std::uint32_t>(exceptions));
  for (const Body& body : bodies) append_exceptions(out, body);

  std::vector<Attribute> attributes;
  const auto add = [&](std::string_view name, std::vector<std::uint8_t> bytes) {
    const auto index = file.pool.add_utf8(name);
    if (index) attributes.push_back({*index, file.keep(std::move(bytes))});
    return index.has_value();
  };
  if (file.major_version >= kFirstVersionWithStackMaps) {
    auto frames = joined_frames(file, method, *descriptor, bodies);
    if (!frames || !add("StackMapTable", *std::move(frames))) return std::nullopt;
  }
  constexpr std::pair<std::string_view, std::size_t> kTables[] = {
      {"LineNumberTable", 4}, {"LocalVariableTable", 10}, {"LocalVariableTypeTable", 10}};
  for (const auto& [name, entry_bytes] : kTables) {
    auto table = joined_table(file, bodies, name, entry_bytes);
    if (!table.empty() && !add(name, std::move(table))) return std::nullopt;
  }
  write_attributes(out, attributes);
  return out.take();
}

}  // namespace bursar::classfile
