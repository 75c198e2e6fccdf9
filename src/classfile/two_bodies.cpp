#include "classfile/two_bodies.h"

#include <algorithm>
#include <array>

#include "base/byte_writer.h"
#include "classfile/instructions.h"
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

// A frame for another place like the one at `at`; nothing if there is none, or none that another body may have.
std::optional<Frame> frame_like(const std::vector<Frame>& frames, std::uint32_t at, std::uint32_t position) {
  const auto found = std::find_if(frames.begin(), frames.end(), [&](const Frame& f) { return f.position == at; });
  if (found == frames.end()) return std::nullopt;
  for (const Types* list : {&found->locals, &found->stack}) {
    for (const VerificationType& type : *list) {
      if (type.tag == VerificationType::kUninitialized || type.tag == VerificationType::kUninitializedThis) {
        return std::nullopt;
      }
    }
  }
  Frame copy = *found;
  copy.position = position;
  return copy;
}

// A loop in both bodies, by positions in the method.
struct PlacedLoop {
  std::uint32_t first_header = 0, second_header = 0;
  std::uint32_t closed_exit = 0, reload_exit = 0, body_exit = 0;  // places in the first header
  std::uint32_t open_exit = 0;                                    // and in the second
  std::uint32_t reload = 0;                                       // what one of them leads to
  std::uint32_t first_rest = 0, second_rest = 0;                  // behind the places
};

std::optional<std::vector<std::uint8_t>> joined_frames(ClassFile& file, const Member& method,
                                                       std::string_view descriptor, const std::array<Body, 2>& bodies,
                                                       const std::vector<PlacedLoop>& loops) {
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
  for (const PlacedLoop& loop : loops) {
    auto reload = frame_like(all.frames, loop.first_header, loop.reload);
    if (!reload) return std::nullopt;
    all.frames.push_back(*std::move(reload));
    for (const auto& [header, rest] :
         {std::pair(loop.first_header, loop.first_rest), std::pair(loop.second_header, loop.second_rest)}) {
      auto frame = frame_like(all.frames, header, rest);
      if (!frame) return std::nullopt;
      const bool has_frame = std::any_of(all.frames.begin(), all.frames.end(),
                                         [&](const Frame& f) { return f.position == frame->position; });
      if (!has_frame) all.frames.push_back(*std::move(frame));
    }
  }
  std::sort(all.frames.begin(), all.frames.end(),
            [](const Frame& a, const Frame& b) { return a.position < b.position; });
  if (all.size() >= StackMap::kMaxTypes) return std::nullopt;
  return all.write(file.pool);
}

constexpr std::uint32_t kExitPlace = 3, kReloadSize = 3 + 3 * (3 + 4) + 5;

// Finds the places that the instrumentation left.
std::optional<std::vector<PlacedLoop>> place_loops(const LoopSwitch& loops, const std::array<Body, 2>& bodies,
                                                   std::uint32_t end) {
  std::vector<PlacedLoop> placed;
  if (loops.loops.empty()) return placed;
  const auto first = Instructions::parse(bodies[0].code, bodies[0].max_locals);
  const auto second = Instructions::parse(bodies[1].code, bodies[1].max_locals);
  if (!first || !second) return std::nullopt;
  const auto find_exits = [](const Instructions& code, std::uint32_t start, std::uint32_t header,
                             std::initializer_list<std::uint32_t*> exits) {
    std::uint32_t i = code.index_at(header);
    for (std::uint32_t* exit : exits) {
      while (i < code.size() && code[i].opcode != op::kPop) ++i;
      if (i >= code.size()) return false;
      *exit = start + code[i].pc;
      ++i;
    }
    return true;
  };
  for (const SharedLoop& loop : loops.loops) {
    PlacedLoop& place = placed.emplace_back();
    place.first_header = bodies[0].start + loop.first;
    place.second_header = bodies[1].start + loop.second;
    place.reload = end;
    end += kReloadSize;
    if (!find_exits(*first, bodies[0].start, loop.first, {&place.closed_exit, &place.reload_exit, &place.body_exit}) ||
        !find_exits(*second, bodies[1].start, loop.second, {&place.open_exit})) {
      return std::nullopt;
    }
    place.first_rest = place.body_exit + kExitPlace;
    place.second_rest = place.open_exit + kExitPlace;
  }
  return placed;
}

void append_local(base::ByteWriter& out, std::uint8_t opcode, std::uint16_t slot) {
  out.u1(op::kWide);
  out.u1(opcode);
  out.u2_be(slot);
}

// Writes the jumps into the places, and what is behind all bodies.
bool connect(std::vector<std::uint8_t>& code, const LoopSwitch& loops, const std::vector<PlacedLoop>& placed,
             ConstantPool& pool) {
  if (placed.empty()) return true;
  const auto mark = pool.add_method_ref(loops.class_name, loops.mark, "()J");
  const auto state = pool.add_method_ref(loops.class_name, loops.state, "()J");
  const auto passes = pool.add_method_ref(loops.class_name, loops.passes, "(I)I");
  const auto argument = pool.add_integer(loops.argument);
  if (!mark || !state || !passes || !argument) return false;
  const auto jump16 = [&](std::uint32_t at, std::uint8_t opcode, std::uint32_t to) {
    const auto distance = static_cast<std::int64_t>(to) - at;
    if (distance > 32767 || distance < -32768) return false;
    code[at] = opcode;
    code[at + 1] = static_cast<std::uint8_t>(distance >> 8);
    code[at + 2] = static_cast<std::uint8_t>(distance);
    return true;
  };
  const auto goto_w = [](base::ByteWriter& out, std::uint32_t at, std::uint32_t to) {
    out.u1(op::kGotoW);
    out.u4_be(to - at);
  };
  for (const PlacedLoop& loop : placed) {
    if (!jump16(loop.closed_exit, op::kIfne, loop.first_rest) || !jump16(loop.reload_exit, op::kIflt, loop.reload) ||
        !jump16(loop.body_exit, op::kIfne, loop.second_rest) || !jump16(loop.open_exit, op::kIfeq, loop.first_header)) {
      return false;
    }
    base::ByteWriter reload;
    reload.u1(op::kLdcW);
    reload.u2_be(*argument);
    reload.u1(op::kInvokestatic);
    reload.u2_be(*passes);
    append_local(reload, op::kIstore, loops.passes_slot);
    reload.u1(op::kInvokestatic);
    reload.u2_be(*mark);
    append_local(reload, op::kLstore, loops.mark_slot);
    reload.u1(op::kInvokestatic);
    reload.u2_be(*state);
    append_local(reload, op::kLstore, loops.state_slot);
    goto_w(reload, static_cast<std::uint32_t>(loop.reload + reload.size()), loop.first_header);
    code.insert(code.end(), reload.view().begin(), reload.view().end());
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::uint8_t>> two_bodies(ClassFile& file, const Member& method, const Choice& choose,
                                                    base::Bytes first, base::Bytes second, const LoopSwitch& loops) {
  std::array<Body, 2> bodies;
  const auto descriptor = file.pool.any_utf8(method.descriptor_index);
  if (!descriptor) return std::nullopt;
  if (!bodies[0].parse(first, file.pool) || !bodies[1].parse(second, file.pool)) return std::nullopt;
  bodies[0].start = bodies[0].entry = kFirstBody;
  bodies[1].entry = static_cast<std::uint32_t>(kFirstBody + bodies[0].code.size());
  bodies[1].start = second_body(static_cast<std::uint32_t>(bodies[0].code.size()));
  const auto end = static_cast<std::uint32_t>(bodies[1].start + bodies[1].code.size());
  const auto placed = place_loops(loops, bodies, end);
  if (!placed) return std::nullopt;
  const std::size_t size = end + placed->size() * kReloadSize;
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
  std::vector<std::uint8_t> all_code = code.take();
  if (!connect(all_code, loops, *placed, file.pool)) return std::nullopt;

  base::ByteWriter out;
  out.u2_be(std::max({2U, bodies[0].max_stack, bodies[1].max_stack}));
  out.u2_be(std::max(bodies[0].max_locals, bodies[1].max_locals));
  out.u4_be(static_cast<std::uint32_t>(size));
  out.append(all_code);

  out.u2_be(static_cast<std::uint32_t>(exceptions));
  for (const Body& body : bodies) append_exceptions(out, body);

  std::vector<Attribute> attributes;
  const auto add = [&](std::string_view name, std::vector<std::uint8_t> bytes) {
    const auto index = file.pool.add_utf8(name);
    if (index) attributes.push_back({*index, file.keep(std::move(bytes))});
    return index.has_value();
  };
  if (file.major_version >= kFirstVersionWithStackMaps) {
    auto frames = joined_frames(file, method, *descriptor, bodies, *placed);
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
