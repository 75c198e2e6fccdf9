#include "classfile/code_editor.h"

#include <algorithm>
#include <tuple>

#include "classfile/code_tables.h"
#include "classfile/exception_table.h"
#include "classfile/type_flow.h"

namespace bursar::classfile {
namespace {

VerificationType::Tag type_tag(NewLocal::Type type) {
  switch (type) {
    case NewLocal::Type::kInt:
      return VerificationType::kInteger;
    case NewLocal::Type::kLong:
      return VerificationType::kLong;
    case NewLocal::Type::kFloat:
      return VerificationType::kFloat;
    case NewLocal::Type::kDouble:
      return VerificationType::kDouble;
    case NewLocal::Type::kObject:
      break;
  }
  return VerificationType::kObject;
}

bool names_classes(const Types& types, const ConstantPool& pool) {
  return std::all_of(types.begin(), types.end(), [&](const VerificationType& type) {
    return type.tag != VerificationType::kObject || pool.tag(type.data) == ConstantTag::kClass;
  });
}

}  // namespace

std::variant<CodeEditor, SkipReason> CodeEditor::open(const ClassFile& file, const Member& method,
                                                      const CodeAttribute& code, std::string_view descriptor) {
  auto map = StackMap::initial(file.member_descriptor(method), (method.access & kAccStatic) != 0,
                               file.member_name(method) == "<init>", file.this_class);
  if (!map || map->parameter_slots() > code.max_locals) return SkipReason::kMalformedCode;
  bool has_stack_map = false;
  for (const Attribute& attribute : code.attributes) {
    if (file.attribute_name(attribute) != "StackMapTable") continue;
    if (has_stack_map) return SkipReason::kMalformedStackMap;
    has_stack_map = true;
    switch (map->parse(attribute.data)) {
      case StackMap::ParseResult::kOk:
        break;
      case StackMap::ParseResult::kMalformed:
        return SkipReason::kMalformedStackMap;
      case StackMap::ParseResult::kTooLarge:
        return SkipReason::kTooComplex;
    }
  }
  for (const Frame& frame : map->frames) {
    if (!names_classes(frame.locals, file.pool) || !names_classes(frame.stack, file.pool)) {
      return SkipReason::kMalformedStackMap;
    }
  }
  UnwindCover cover = UnwindCover::of(file, method, code, *map);
  if (!descriptor.empty()) {
    const auto longer = StackMap::initial(descriptor, (method.access & kAccStatic) != 0,
                                          file.member_name(method) == "<init>", file.this_class);
    if (!longer || longer->parameter_slots() > code.max_locals) return SkipReason::kMalformedCode;
    map->take_parameters_of(*longer);
  }
  return CodeEditor(file, code, *std::move(map), has_stack_map, std::move(cover));
}

bool CodeEditor::lies_across(std::uint32_t slot) const {
  return std::any_of(code_.instructions.begin(), code_.instructions.end(), [slot](const Instruction& instruction) {
    return instruction.local_slots() == 2 && instruction.local + 1U == slot;
  });
}

std::optional<SkipReason> CodeEditor::add_locals(std::span<const NewLocal> locals, LocalPlacement placement,
                                                 ConstantPool& pool) {
  Types types;
  for (const NewLocal& local : locals) {
    VerificationType type{type_tag(local.type), 0};
    if (local.type == NewLocal::Type::kObject) {
      const auto index = pool.add_class(local.class_name);
      if (!index) return SkipReason::kConstantPoolFull;
      type.data = *index;
    }
    types.push_back(type);
    new_slots_ += local.slots();
  }
  if (code_.max_locals + new_slots_ > 65535) return SkipReason::kTableFull;

  using enum StackMap::InsertResult;
  std::uint32_t slot = stack_map_.parameter_slots();
  StackMap edited = stack_map_;
  StackMap::InsertResult outcome = kLiesAcross;
  if (placement == LocalPlacement::kAfterParameters && !lies_across(slot)) outcome = edited.insert_locals(slot, types);
  if (outcome == kLiesAcross) {
    slot = code_.max_locals;
    edited = stack_map_;
    outcome = edited.insert_locals(slot, types);
  }
  if (outcome == kTooLarge) return SkipReason::kTooComplex;
  if (outcome == kLiesAcross) return SkipReason::kMalformedStackMap;
  stack_map_ = std::move(edited);
  layout_.move = {.first_moved = slot, .shift = new_slots_};
  for (const NewLocal& local : locals) {
    slots_.push_back(static_cast<std::uint16_t>(slot));
    slot += local.slots();
  }
  new_types_ = std::move(types);
  return std::nullopt;
}

void CodeEditor::append(CodePiece& piece, const Snippet& snippet) {
  append(piece, snippet.code(), snippet.max_stack());
}

void CodeEditor::append(CodePiece& piece, std::span<const std::uint8_t> code, unsigned max_stack) {
  std::vector<std::uint8_t>& bytes = layout_.inserted;
  const std::vector<std::uint8_t> earlier(bytes.begin() + piece.begin, bytes.begin() + piece.end);
  piece.begin = static_cast<std::uint32_t>(bytes.size());
  bytes.insert(bytes.end(), earlier.begin(), earlier.end());
  bytes.insert(bytes.end(), code.begin(), code.end());
  piece.end = static_cast<std::uint32_t>(bytes.size());
  extra_stack_ = std::max(extra_stack_, max_stack);
}

void CodeEditor::prepend(const Snippet& snippet) {
  append(layout_.prologue, snippet);
  prologue_jumps_ = snippet.jumps();
}

void CodeEditor::insert_on_fall_through(std::uint32_t instruction, const Snippet& snippet) {
  append(layout_.on_fall_through[instruction], snippet);
}

void CodeEditor::insert_on_arrival(std::uint32_t instruction, const Snippet& snippet) {
  append(layout_.on_arrival[instruction], snippet);
}

void CodeEditor::insert_on_jump(std::uint32_t source, std::uint32_t target, const Snippet& snippet) {
  Detour detour{.source = source, .target = target, .catches = false, .code = {}};
  append(detour.code, snippet);
  layout_.detours.push_back(detour);
}

void CodeEditor::insert_on_catch(std::uint32_t handler, bool also_reached, const Snippet& snippet) {
  if (!also_reached) return insert_on_arrival(handler, snippet);
  Detour detour{.source = handler, .target = handler, .catches = true, .code = {}};
  append(detour.code, snippet);
  layout_.detours.push_back(detour);
}

void CodeEditor::redirect(std::uint32_t invoke, const CopyCall& call) {
  layout_.redirected.resize(code_.instructions.size());
  layout_.redirected[invoke] = call;
  if (!call.takes_null) return;
  static constexpr std::uint8_t kNull[] = {op::kAconstNull};
  append(layout_.on_arrival[invoke], kNull, 1);
}

void CodeEditor::fork(std::uint32_t invoke, const CopyCall& call, const Snippet& snippet) {
  constexpr std::uint32_t kJump = 3;
  const std::uint32_t null = call.takes_null ? 1 : 0;
  const std::uint32_t as_it_is = code_.instructions[invoke].length;
  const auto code = snippet.code();
  const auto part = [&](std::size_t from, std::size_t to) { return code.subspan(from, to - from); };
  base::ByteWriter out;
  out.append(part(0, snippet.fork_at()));
  // To the call as it is, which follows all of this.
  const std::size_t rest = code.size() - snippet.fork_at();
  out.u1(op::kIfeq);
  out.u2_be(static_cast<std::uint32_t>(kJump + rest + null + call_length(call.opcode) + kJump));
  out.append(part(snippet.fork_at(), snippet.copy_at()));
  if (call.takes_null) out.u1(op::kAconstNull);
  write_call(out, call, interface_slots(code_.instructions, invoke));
  out.append(part(snippet.copy_at(), code.size()));
  out.u1(op::kGoto);
  out.u2_be(kJump + as_it_is);
  append(layout_.on_arrival[invoke], out.view(), std::max(snippet.max_stack(), null));
  forks_.push_back(invoke);
}

void CodeEditor::insert_on_unwind(const Snippet& snippet) {
  std::vector<std::uint8_t>& bytes = layout_.inserted;
  layout_.unwind.begin = static_cast<std::uint32_t>(bytes.size());
  bytes.insert(bytes.end(), snippet.code().begin(), snippet.code().end());
  bytes.push_back(op::kAthrow);
  layout_.unwind.end = static_cast<std::uint32_t>(bytes.size());
  layout_.unwinds = cover_.blocks();
  unwind_stack_ = 1 + snippet.max_stack();
}

// Moves the frames to where their instructions went; stepping stones and detours get a copy of their target's.
std::optional<SkipReason> CodeEditor::move_frames(ConstantPool& pool) {
  const Instructions& instructions = code_.instructions;
  std::vector<Frame> of_forks;
  if (const auto reason = frames_of_forks(pool, of_forks)) return reason;
  if (!has_stack_map_) {
    stack_map_.frames = std::move(of_forks);
    const bool needs = file_.major_version >= kFirstVersionThatNeedsStackMaps;
    const bool more_targets = !layout_.detours.empty() || !layout_.stones().empty();
    return needs && more_targets ? std::optional(SkipReason::kMissingFrame) : std::nullopt;
  }
  constexpr std::uint32_t kNoFrame = 0xffffffff;
  std::vector<std::uint32_t> frame_of(instructions.size(), kNoFrame);
  std::vector<Frame>& frames = stack_map_.frames;
  std::size_t types = 0;
  for (std::uint32_t i = 0; i < frames.size(); ++i) {
    Frame& frame = frames[i];
    const std::uint32_t index = instructions.index_at(frame.position);
    if (index >= instructions.size()) return SkipReason::kMalformedStackMap;
    frame_of[index] = i;
    frame.position = layout_.arrival_position(index);
    if (!move_types(frame)) return SkipReason::kMalformedStackMap;
    types += frame.locals.size() + frame.stack.size() + 1;
  }
  std::vector<Frame> copies;
  const auto copy = [&](std::uint32_t target, std::uint32_t position) -> std::optional<SkipReason> {
    if (frame_of[target] == kNoFrame) return SkipReason::kMissingFrame;
    const Frame& frame = frames[frame_of[target]];
    types += frame.locals.size() + frame.stack.size() + 1;
    if (types > StackMap::kMaxTypes) return SkipReason::kTooComplex;
    copies.push_back(frame);
    copies.back().position = position;
    return std::nullopt;
  };
  for (const SteppingStone& stone : layout_.stones()) {
    if (const auto reason = copy(instructions[stone.source].target, stone.position)) return reason;
  }
  for (const Detour& detour : layout_.detours) {
    if (const auto reason = copy(detour.target, detour.position)) return reason;
  }
  frames.insert(frames.end(), std::make_move_iterator(copies.begin()), std::make_move_iterator(copies.end()));
  frames.insert(frames.end(), std::make_move_iterator(of_forks.begin()), std::make_move_iterator(of_forks.end()));
  // Where a frame was before, it stays: stable, and those of forks came last.
  const auto by_position = [](const Frame& a, const Frame& b) { return a.position < b.position; };
  const auto same_position = [](const Frame& a, const Frame& b) { return a.position == b.position; };
  std::stable_sort(frames.begin(), frames.end(), by_position);
  frames.erase(std::unique(frames.begin(), frames.end(), same_position), frames.end());
  return std::nullopt;
}

// The same types where a `new` has moved.
bool CodeEditor::move_types(Frame& frame) const {
  const Instructions& instructions = code_.instructions;
  for (Types* list : {&frame.locals, &frame.stack}) {
    for (VerificationType& type : *list) {
      if (type.tag != VerificationType::kUninitialized) continue;
      const std::uint32_t origin = instructions.index_at(type.data);
      if (origin >= instructions.size() || instructions[origin].opcode != op::kNew) return false;
      type.data = layout_.position(origin);
    }
  }
  return true;
}

// At the call as it is, and behind it.
std::optional<SkipReason> CodeEditor::frames_of_forks(ConstantPool& pool, std::vector<Frame>& frames) const {
  const Instructions& instructions = code_.instructions;
  if (forks_.empty() || file_.major_version < kFirstVersionWithStackMaps) return std::nullopt;
  const bool jumps = std::any_of(instructions.begin(), instructions.end(), [](const Instruction& i) {
    return is_goto(i.opcode) || is_conditional_branch(i.opcode) || is_switch(i.opcode) || is_jsr(i.opcode);
  });
  if (!has_stack_map_ && (jumps || !code_.exceptions.empty())) {
    // The VM infers types itself where that is still allowed.
    return file_.major_version < kFirstVersionThatNeedsStackMaps ? std::nullopt
                                                                 : std::optional(SkipReason::kMissingFrame);
  }
  auto around = types_around(file_, code_, stack_map_, locals_at_entry(), layout_.move, forks_, pool);
  if (!around) return SkipReason::kMalformedStackMap;
  for (std::size_t i = 0; i < forks_.size(); ++i) {
    CallFrames& fork = (*around)[i];
    if (!move_types(fork.before) || !move_types(fork.behind)) return SkipReason::kMalformedStackMap;
    fork.before.position = layout_.position(forks_[i]);
    fork.behind.position = layout_.edge_position(forks_[i] + 1);
    frames.push_back(std::move(fork.before));
    frames.push_back(std::move(fork.behind));
  }
  return std::nullopt;
}

// The parameters and the new locals.
Types CodeEditor::locals_at_entry() const {
  Types locals = stack_map_.initial_locals();
  if (slots_.empty()) return locals;
  locals.insert(locals.end(), slots_.front() - stack_map_.parameter_slots(), VerificationType{});
  locals.insert(locals.end(), new_types_.begin(), new_types_.end());
  return locals;
}

// Behind the prologue, where its jump leads. Nothing lies before it.
void CodeEditor::add_entry_frame() {
  const std::uint32_t position = layout_.prologue.size();
  std::vector<Frame>& frames = stack_map_.frames;
  if (!frames.empty() && frames.front().position == position) return;
  frames.insert(frames.begin(), {.position = position, .locals = locals_at_entry(), .stack = {}});
}

// Of the locals the unwind knows the new ones only, since what the others hold changes from instruction to instruction;
// before super() also the uninitialized `this`.
bool CodeEditor::add_unwind_frames(ConstantPool& pool) {
  const auto throwable = pool.add_class("java/lang/Throwable");
  if (!throwable) return false;
  for (const UnwindPart part : {UnwindPart::kMain, UnwindPart::kBeforeSuper}) {
    if (!cover_.has_block(part)) continue;
    Frame frame;
    frame.position = layout_.unwind_position(cover_.block(part));
    if (!slots_.empty()) frame.locals.resize(slots_.front());
    frame.locals.insert(frame.locals.end(), new_types_.begin(), new_types_.end());
    if (part == UnwindPart::kBeforeSuper) {
      if (frame.locals.empty()) frame.locals.resize(1);
      frame.locals[0].tag = VerificationType::kUninitializedThis;
    }
    frame.stack = {{VerificationType::kObject, *throwable}};
    stack_map_.frames.push_back(std::move(frame));
  }
  return true;
}

std::variant<std::vector<std::uint8_t>, SkipReason> CodeEditor::move_attribute(const Attribute& attribute,
                                                                               std::span<const std::uint32_t> new_entry,
                                                                               ConstantPool& pool) const {
  const std::string_view name = file_.attribute_name(attribute);
  MovedBytes moved;
  if (name == "StackMapTable") {
    moved = stack_map_.write(pool);
    if (!moved) return SkipReason::kConstantPoolFull;
  } else if (name == "LineNumberTable") {
    moved = move_line_numbers(attribute.data, code_.instructions, layout_);
  } else if (name == "LocalVariableTable" || name == "LocalVariableTypeTable") {
    moved = move_local_variables(attribute.data, code_.instructions, layout_);
  } else if (name == "RuntimeVisibleTypeAnnotations" || name == "RuntimeInvisibleTypeAnnotations") {
    moved = move_type_annotations(attribute.data, code_.instructions, layout_, new_entry);
  } else {
    return SkipReason::kUnknownAttribute;
  }
  if (!moved) return SkipReason::kMalformedTable;
  return *std::move(moved);
}

std::variant<CodeEditor::Edited, SkipReason> CodeEditor::finish(ConstantPool& pool) {
  std::sort(layout_.detours.begin(), layout_.detours.end(), [](const Detour& a, const Detour& b) {
    return std::tie(a.target, a.catches, a.source) < std::tie(b.target, b.catches, b.source);
  });
  switch (layout_.run()) {
    case CodeLayout::Outcome::kOk:
      break;
    case CodeLayout::Outcome::kTooLarge:
      return SkipReason::kCodeTooLarge;
    case CodeLayout::Outcome::kOutOfReach:
      return SkipReason::kJumpOutOfReach;
  }
  if (const auto reason = move_frames(pool)) return *reason;
  const bool knows_frames = file_.major_version >= kFirstVersionWithStackMaps;
  const bool frames_unwind = layout_.unwinds != 0 && knows_frames;
  const bool frames_entry = prologue_jumps_ && knows_frames;
  if (frames_entry) add_entry_frame();
  if (frames_unwind && !add_unwind_frames(pool)) return SkipReason::kConstantPoolFull;
  if (stack_map_.size() >= StackMap::kMaxTypes) return SkipReason::kTooComplex;
  const unsigned max_stack = std::max(code_.max_stack + extra_stack_, unwind_stack_);
  if (max_stack > 65535) return SkipReason::kTableFull;

  base::ByteWriter out;
  out.u2_be(max_stack);
  out.u2_be(code_.max_locals + new_slots_);
  out.u4_be(layout_.size());
  out.append(layout_.code());
  const auto exceptions = move_exceptions(code_, layout_, cover_);
  if (!exceptions) return SkipReason::kTableFull;
  out.append(exceptions->bytes);
  const std::size_t count_at = out.size();
  std::uint32_t count = 0;
  out.u2_be(0);
  const auto write_attribute = [&](std::uint16_t name, const std::vector<std::uint8_t>& bytes) {
    out.u2_be(name);
    out.u4_be(static_cast<std::uint32_t>(bytes.size()));
    out.append(bytes);
    ++count;
  };
  for (const Attribute& attribute : code_.attributes) {
    // Frames for CLDC's verifier, which HotSpot does not have: old compilers left them in.
    if (file_.attribute_name(attribute) == "StackMap") continue;
    auto moved = move_attribute(attribute, exceptions->new_entry, pool);
    if (const auto* reason = std::get_if<SkipReason>(&moved)) return *reason;
    write_attribute(attribute.name_index, *std::get_if<0>(&moved));
  }
  if (!stack_map_.frames.empty() && !has_stack_map_) {
    const auto name = pool.add_utf8("StackMapTable");
    const auto bytes = stack_map_.write(pool);
    if (!name || !bytes) return SkipReason::kConstantPoolFull;
    write_attribute(*name, *bytes);
  }
  out.patch_u2_be(count_at, count);
  Edited edited{.attribute = out.take(), .code_size = layout_.size(), .calls = {}};
  for (std::uint32_t i = 0; i < code_.instructions.size(); ++i) {
    if (!is_invoke(code_.instructions[i].opcode)) continue;
    edited.calls.push_back(layout_.position(i) +
                           (layout_.is_redirected(i) && layout_.redirected[i].takes_null ? 1 : 0));
  }
  return edited;
}

}  // namespace bursar::classfile
