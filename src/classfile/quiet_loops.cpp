#include "classfile/quiet_loops.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/byte_writer.h"
#include "classfile/opcode.h"
#include "classfile/rewriter.h"
#include "classfile/stack_map.h"

namespace bursar::classfile {
namespace {

// A jump back that HotSpot counts: by pcs. No goto_w: where those are needed nothing is compiled.
struct Jump {
  std::uint32_t from, to;
};

std::vector<Jump> jumps_back(const Instructions& instructions) {
  std::vector<Jump> jumps;
  for (const Instruction& jump : instructions) {
    if (!is_conditional_branch(jump.opcode) && jump.opcode != op::kGoto) continue;
    const std::uint32_t to = instructions[jump.target].pc;
    if (to <= jump.pc) jumps.push_back({.from = jump.pc, .to = to});
  }
  return jumps;
}

// Those that it does not count.
std::vector<Jump> switches_back(const Instructions& instructions) {
  std::vector<Jump> jumps;
  for (const Instruction& instruction : instructions) {
    if (!is_switch(instruction.opcode)) continue;
    for (const std::uint32_t target : instructions.distinct_targets(instruction)) {
      const std::uint32_t to = instructions[target].pc;
      if (to <= instruction.pc) jumps.push_back({.from = instruction.pc, .to = to});
    }
  }
  return jumps;
}

const Attribute* stack_map_table(const ClassFile& file, const CodeAttribute& code) {
  const auto at = std::find_if(code.attributes.begin(), code.attributes.end(), [&](const Attribute& attribute) {
    return file.attribute_name(attribute) == "StackMapTable";
  });
  return at != code.attributes.end() ? &*at : nullptr;
}

// Of this place, if there is something on the stack.
const Frame* frame_with_stack(const StackMap& map, std::uint32_t pc) {
  const auto at =
      std::lower_bound(map.frames.begin(), map.frames.end(), pc,
                       [](const Frame& frame, std::uint32_t position) { return frame.position < position; });
  return at != map.frames.end() && at->position == pc && !at->stack.empty() ? &*at : nullptr;
}

bool can_be_copied(const Frame& frame) {
  const auto is_made = [](const VerificationType& type) {
    return type.tag != VerificationType::kUninitialized && type.tag != VerificationType::kUninitializedThis;
  };
  return std::all_of(frame.stack.begin(), frame.stack.end(), is_made) &&
         std::all_of(frame.locals.begin(), frame.locals.end(), is_made);
}

unsigned slots(const Types& types) {
  unsigned sum = 0;
  for (const VerificationType& type : types) sum += type.slots();
  return sum;
}

// HotSpot's verifier refuses a switch without cases that is a method's last instruction. Nothing leads here.
void append_end(base::ByteWriter& code) {
  code.u1(op::kAconstNull);
  code.u1(op::kAthrow);
}

// What a jump leads to in place of the loop's start.
void append_switch(base::ByteWriter& code, std::uint32_t to) {
  code.u1(op::kIconst0);
  const auto at = static_cast<std::uint32_t>(code.size());
  code.u1(op::kLookupswitch);
  while (code.size() % 4 != 0) code.u1(0);
  code.u4_be(to - at);
  code.u4_be(0);
}

}  // namespace

bool has_loop_of_no_entry(const MethodView& method) {
  const Attribute* const table = stack_map_table(method.file, method.code);
  StackMap map;
  if (table == nullptr) return false;
  if (map.parse(table->data) != StackMap::ParseResult::kOk) return true;
  const std::vector<Jump> noticed = jumps_back(method.code.instructions);
  const auto lies_in_one_with_entry = [&](const Jump& inner) {
    return std::any_of(noticed.begin(), noticed.end(), [&](const Jump& outer) {
      return outer.to < inner.to && inner.to < outer.from && frame_with_stack(map, outer.to) == nullptr;
    });
  };
  const auto is_stuck_in = [&](const Jump& jump) {
    return frame_with_stack(map, jump.to) != nullptr && !lies_in_one_with_entry(jump);
  };
  const std::vector<Jump> never_noticed = switches_back(method.code.instructions);
  return std::any_of(noticed.begin(), noticed.end(), is_stuck_in) ||
         std::any_of(never_noticed.begin(), never_noticed.end(), is_stuck_in);
}

std::optional<std::vector<std::uint8_t>> with_quiet_loops(ClassFile& file, const Member& method, base::Bytes bytes) {
  const auto code = CodeAttribute::parse(bytes, file.pool, CodeAttribute::Origin::kWrittenHere);
  if (!code) return std::nullopt;
  const std::vector<Jump> jumps = jumps_back(code->instructions);
  const Attribute* const table = stack_map_table(file, *code);
  if (jumps.size() < 2 || table == nullptr) return std::nullopt;
  auto map = StackMap::initial(file.member_descriptor(method), (method.access & kAccStatic) != 0,
                               file.member_name(method) == "<init>", file.this_class);
  if (!map || map->parse(table->data) != StackMap::ParseResult::kOk) return std::nullopt;

  const bool has_entry = std::any_of(jumps.begin(), jumps.end(),
                                     [&](const Jump& jump) { return frame_with_stack(*map, jump.to) == nullptr; });
  if (!has_entry) return std::nullopt;
  base::ByteWriter longer;
  longer.append(code->instructions.code());
  std::vector<Frame> frames;
  std::map<std::uint32_t, std::uint32_t> ways;  // from a loop's start to the switch that leads there
  std::uint32_t max_stack = code->max_stack;
  for (const Jump& jump : jumps) {
    const Frame* const frame = frame_with_stack(*map, jump.to);
    if (frame == nullptr || !can_be_copied(*frame)) continue;
    const auto [way, is_new] = ways.try_emplace(jump.to, static_cast<std::uint32_t>(longer.size()));
    if (way->second - jump.from > std::uint32_t{std::numeric_limits<std::int16_t>::max()}) return std::nullopt;
    if (is_new) {
      frames.push_back({.position = way->second, .locals = frame->locals, .stack = frame->stack});
      max_stack = std::max(max_stack, slots(frame->stack) + 1);
      append_switch(longer, jump.to);
    }
    longer.patch_u2_be(jump.from + 1, way->second - jump.from);
  }
  if (frames.empty()) return std::nullopt;
  frames.push_back(frames.back());
  frames.back().position = static_cast<std::uint32_t>(longer.size());
  append_end(longer);
  const bool crosses = code->instructions.code().size() <= kCompileLimit && longer.size() > kCompileLimit;
  if (crosses) return std::nullopt;
  map->frames.insert(map->frames.end(), frames.begin(), frames.end());
  auto new_table = map->write(file.pool);
  if (!new_table) return std::nullopt;

  base::ByteReader old(bytes);
  old.take(4);
  old.take(old.u4_be());
  const base::Bytes exceptions = old.take(code->exceptions.size() * 8 + 2);
  base::ByteWriter out;
  out.u2_be(max_stack);
  out.u2_be(code->max_locals);
  out.u4_be(static_cast<std::uint32_t>(longer.size()));
  out.append(longer.view());
  out.append(exceptions);
  std::vector<Attribute> attributes = code->attributes;
  attributes[static_cast<std::size_t>(table - code->attributes.data())].data = file.keep(*std::move(new_table));
  write_attributes(out, attributes);
  return out.take();
}

}  // namespace bursar::classfile
